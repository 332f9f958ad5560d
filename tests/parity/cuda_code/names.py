"""What needs no PyTorch to be read."""

# Models of models.py by which no rule of lib/deciding/inductor was found: look at their figures, and not at their code.
SET_ASIDE = ("diffusion", "recommender", "retention", "squeezing", "swin")
