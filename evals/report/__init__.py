"""A run as one HTML file that opens offline: tables, bars, error maps, and a gallery of every instance."""

from evals.report.page import Report, ReportError, write_report

__all__ = ["Report", "ReportError", "write_report"]
