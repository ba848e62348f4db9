"""Data that users pass: lists, arrays, columns, frames; read, frozen and compared."""
