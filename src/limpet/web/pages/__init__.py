"""The portal's pages, a file for each subject."""
