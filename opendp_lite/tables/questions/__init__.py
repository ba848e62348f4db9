"""Questions about tables: what is asked, given noise, and answered."""
