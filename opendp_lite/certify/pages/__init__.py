"""What a certificate looks like: as HTML, with MathML, and as PDF, by TeX."""
