"""The database: typed models, one unit of work, repositories. Implements what the floors below declare."""
