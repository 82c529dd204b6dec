"""Page models that several shops share; a site brings its selectors."""
