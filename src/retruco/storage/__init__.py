"""Where case bases are kept: records as the truth, everything else derived from them."""
