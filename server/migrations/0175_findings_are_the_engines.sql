-- Safe beside the previous version: no request of the API reads what the checks of the laws found.
REVOKE SELECT ON law_findings FROM recollect_api;
