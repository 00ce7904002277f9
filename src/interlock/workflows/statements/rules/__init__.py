"""The rules of normalization: versioned data, validated before use."""

from .loading import builtin_rules, load_rules
from .rule_set import RuleSet, SourceOptions

__all__ = ["RuleSet", "SourceOptions", "builtin_rules", "load_rules"]
