"""The pages of docs/results: one module a paper."""
