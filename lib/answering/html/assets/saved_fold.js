// The saved values with those of alike layers as one row, as the terminal shows them (report/saved_by_reason.cpp): values of one
// operator, size, place and reason.
"use strict";

// [{name, module, ..., bytes, kept and formBytes of all, members}]; a value that is like no other stands for itself.
function foldSaved(rows) {
  return foldRows(rows, (row) => row.module, savedKind).map(({module, rows: members}) => {
    if (members.length === 1) return members[0];
    const sum = (key) => members.reduce((total, row) => total + row[key], 0);
    return {...members[0], module, bytes: sum("bytes"), kept: sum("kept"), formBytes: sum("formBytes"), members,
      key: `${module} ${savedKind(members[0])}`};
  });
}

function savedKind(row) {
  return [row.kind, row.operator, row.dtype, row.shape, row.bytes, row.reason, row.isParameter, row.host !== "",
    row.form, row.module === "" ? row.source : ""].join("\n");
}

// The rows to be seen: below an open folded row its members.
function withMembers(rows, isOpen) {
  return rows.flatMap((row) => (row.members && isOpen(row) ? [row, ...row.members.map((member) => ({...member, of: row}))]
    : [row]));
}
