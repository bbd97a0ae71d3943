//! What users come for: solvers and products.
