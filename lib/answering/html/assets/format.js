// Figures as the command line shows them (text/quantities.cpp).
"use strict";

function formatScaled(value, unit) {
  const prefixes = ["", "k", "M", "G", "T", "P", "E"];
  let power = 0;
  while (value >= 999.5 && power + 1 < prefixes.length) {
    value /= 1000;
    ++power;
  }
  if (power === 0) return `${value.toFixed(0)} ${unit}`;
  return `${value < 99.95 ? oneDecimal(value) : wholeNumber(value)} ${prefixes[power]}${unit}`;
}

function formatBytes(bytes) {
  return formatScaled(bytes, "B");
}

// What lies just between two figures goes to the even one, as C++ has it; JavaScript has it go up. One decimal has such
// ties at quarters only, because other tenths are no binary fractions.
function oneDecimal(value) {
  const isTie = (value * 4) % 2 === 1;
  return isTie ? (evenOf(value * 10) / 10).toFixed(1) : value.toFixed(1);
}

function wholeNumber(value) {
  return ((value * 2) % 2 === 1 ? evenOf(value) : value).toFixed(0);
}

function evenOf(tie) {
  return 2 * Math.round(tie / 2);
}

function formatCount(count, noun) {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

function formatShare(part, whole) {
  return whole > 0 ? `${((100 * part) / whole).toFixed(1)} %` : "";
}

// The reason's word as words.
function formatReason(reason) {
  return reason.replaceAll("_", " ");
}

// A cost in "ms", or in another unit by powers of a thousand.
function formatCost(cost, unit) {
  return unit === "ms" ? formatTime(cost) : formatScaled(cost, unit);
}

function formatTime(ms) {
  const units = ["ns", "us", "ms", "s"];
  let value = ms * 1e6, times = 0;
  for (; value >= 999.5 && times + 1 < units.length; ++times) value /= 1000;
  return `${times > 0 && value < 99.95 ? oneDecimal(value) : wholeNumber(value)} ${units[times]}`;
}

// "+1.2 GB", "-3", "0 B".
function formatChange(change, unit) {
  const sign = change > 0 ? "+" : change < 0 ? "-" : "";
  return sign + formatAmount(Math.abs(change), unit);
}

// With or without a unit; "ps" are picoseconds.
function formatAmount(value, unit) {
  if (unit === "ps") return formatTime(value / 1e9);
  return unit === "" ? value.toLocaleString("en") : formatScaled(value, unit);
}
