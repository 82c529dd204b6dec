"""Product pages in the shapes of many shop platforms, made by us: structure as it is found, every word our own."""
