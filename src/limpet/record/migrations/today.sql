CREATE TABLE limpet_schema_version (
	version_num VARCHAR(32) NOT NULL,
	CONSTRAINT limpet_schema_version_pkc PRIMARY KEY (version_num)
);

CREATE TABLE sources (
	id TEXT NOT NULL,
	app TEXT NOT NULL,
	adapter_id TEXT NOT NULL,
	name TEXT NOT NULL,
	hosts JSON NOT NULL,
	enabled BOOLEAN NOT NULL,
	disabled_reason TEXT,
	tos_reviewed_at TEXT,
	tos_approved_by TEXT,
	tos_notes TEXT NOT NULL,
	robots_compliant BOOLEAN NOT NULL,
	scrape_config JSON NOT NULL,
	created_at TEXT NOT NULL,
	updated_at TEXT NOT NULL,
	CONSTRAINT pk_sources PRIMARY KEY (id)
);

CREATE TABLE targets (
	id INTEGER NOT NULL,
	source_id TEXT NOT NULL,
	canonical_url TEXT NOT NULL,
	url TEXT NOT NULL,
	adapter_id TEXT NOT NULL,
	kind TEXT NOT NULL,
	lane TEXT NOT NULL,
	schedule TEXT,
	priority INTEGER DEFAULT '0' NOT NULL,
	status TEXT DEFAULT 'active' NOT NULL,
	enabled BOOLEAN NOT NULL,
	robots_path_blocked BOOLEAN NOT NULL,
	last_scraped_at TEXT,
	last_status TEXT,
	consecutive_failures INTEGER DEFAULT '0' NOT NULL,
	etag TEXT,
	last_modified TEXT,
	last_snapshot TEXT,
	params JSON,
	tags JSON,
	created_at TEXT NOT NULL,
	updated_at TEXT NOT NULL,
	created_by TEXT,
	notes TEXT,
	CONSTRAINT pk_targets PRIMARY KEY (id),
	CONSTRAINT fk_targets_source_id_sources FOREIGN KEY(source_id) REFERENCES sources (id),
	CONSTRAINT ck_targets_status CHECK (status IN ('active', 'paused', 'broken', 'stale')),
	CONSTRAINT uq_targets_source_id_canonical_url UNIQUE (source_id, canonical_url)
);

CREATE INDEX ix_targets_adapter_id ON targets (adapter_id);

CREATE INDEX ix_targets_status ON targets (status);

CREATE TABLE runs (
	id INTEGER NOT NULL,
	app TEXT NOT NULL,
	source_id TEXT,
	"trigger" TEXT NOT NULL,
	mode TEXT NOT NULL,
	state TEXT NOT NULL,
	planned INTEGER NOT NULL,
	dry_run BOOLEAN NOT NULL,
	params JSON NOT NULL,
	started_at TEXT NOT NULL,
	ended_at TEXT,
	error_code TEXT,
	error_message TEXT,
	worker TEXT,
	due_at TEXT, prepared_at TEXT,
	CONSTRAINT pk_runs PRIMARY KEY (id),
	CONSTRAINT ck_runs_state CHECK (state IN ('running', 'completed', 'failed', 'aborted', 'quarantined')),
	CONSTRAINT uq_runs_source_id_due_at UNIQUE (source_id, due_at)
);

CREATE INDEX ix_runs_started_at ON runs (started_at);

CREATE INDEX ix_runs_state ON runs (state);

CREATE TABLE jobs (
	id INTEGER NOT NULL,
	run_id INTEGER NOT NULL,
	target_id INTEGER NOT NULL,
	source_id TEXT NOT NULL,
	lane TEXT NOT NULL,
	priority INTEGER NOT NULL,
	state TEXT NOT NULL,
	reason TEXT,
	details TEXT,
	attempts INTEGER NOT NULL,
	fence INTEGER NOT NULL,
	worker TEXT,
	lease_until TEXT,
	not_before TEXT,
	planned_at TEXT NOT NULL,
	started_at TEXT,
	ended_at TEXT,
	snapshot TEXT,
	site_id TEXT,
	site_version TEXT, rereads INTEGER,
	CONSTRAINT pk_jobs PRIMARY KEY (id),
	CONSTRAINT fk_jobs_run_id_runs FOREIGN KEY(run_id) REFERENCES runs (id),
	CONSTRAINT fk_jobs_target_id_targets FOREIGN KEY(target_id) REFERENCES targets (id),
	CONSTRAINT ck_jobs_state CHECK (state IN ('pending', 'running', 'succeeded', 'no_record', 'skipped', 'failed', 'dropped', 'quarantined')),
	CONSTRAINT uq_jobs_run_id_target_id UNIQUE (run_id, target_id)
);

CREATE INDEX ix_jobs_leasing ON jobs (run_id, lane, state, priority DESC, id);

CREATE INDEX ix_jobs_running_worker ON jobs (worker) WHERE state = 'running';

CREATE INDEX ix_jobs_target_id ON jobs (target_id);

CREATE TABLE attempts (
	id INTEGER NOT NULL,
	job_id INTEGER NOT NULL,
	fence INTEGER NOT NULL,
	number INTEGER NOT NULL,
	started_at TEXT NOT NULL,
	elapsed_ms FLOAT NOT NULL,
	outcome TEXT NOT NULL,
	error_code TEXT,
	error_message TEXT,
	status INTEGER, extract_ms FLOAT,
	CONSTRAINT pk_attempts PRIMARY KEY (id),
	CONSTRAINT fk_attempts_job_id_jobs FOREIGN KEY(job_id) REFERENCES jobs (id),
	CONSTRAINT uq_attempts_job_id_fence_number UNIQUE (job_id, fence, number)
);

CREATE TABLE workers (
	id TEXT NOT NULL,
	host TEXT NOT NULL,
	pid INTEGER NOT NULL,
	started_at TEXT NOT NULL,
	heartbeat_at TEXT NOT NULL,
	ended_at TEXT,
	CONSTRAINT pk_workers PRIMARY KEY (id)
);

CREATE TABLE snapshots (
	sha256 TEXT NOT NULL,
	pack TEXT NOT NULL,
	"offset" INTEGER NOT NULL,
	stored_bytes INTEGER NOT NULL,
	raw_bytes INTEGER NOT NULL,
	media_type TEXT NOT NULL,
	charset TEXT,
	first_seen_at TEXT NOT NULL,
	purged_at TEXT, purged_by TEXT,
	CONSTRAINT pk_snapshots PRIMARY KEY (sha256)
);

CREATE TABLE artefacts (
	id INTEGER NOT NULL,
	kind TEXT NOT NULL,
	"key" TEXT NOT NULL,
	path TEXT NOT NULL,
	sha256 TEXT NOT NULL,
	size_bytes INTEGER NOT NULL,
	media_type TEXT NOT NULL,
	job_id INTEGER,
	stored_at TEXT NOT NULL,
	purged_at TEXT,
	CONSTRAINT pk_artefacts PRIMARY KEY (id),
	CONSTRAINT uq_artefacts_kind_key_sha256 UNIQUE (kind, "key", sha256),
	CONSTRAINT uq_artefacts_path UNIQUE (path)
);

CREATE TABLE requests (
	id INTEGER NOT NULL,
	job_id INTEGER,
	source_id TEXT NOT NULL,
	domain TEXT NOT NULL,
	url TEXT NOT NULL,
	kind TEXT NOT NULL,
	started_at TEXT NOT NULL,
	elapsed_ms FLOAT NOT NULL,
	waited_ms FLOAT NOT NULL,
	outcome TEXT NOT NULL,
	status INTEGER,
	error_code TEXT,
	bytes_received INTEGER NOT NULL,
	robots_verdict TEXT,
	robots_hash TEXT,
	retry_after_seconds FLOAT,
	CONSTRAINT pk_requests PRIMARY KEY (id)
);

CREATE INDEX ix_requests_domain_started_at ON requests (domain, started_at);

CREATE TABLE robots_files (
	host TEXT NOT NULL,
	sha256 TEXT NOT NULL,
	body BLOB NOT NULL,
	status INTEGER NOT NULL,
	fetched_at TEXT NOT NULL,
	CONSTRAINT pk_robots_files PRIMARY KEY (host, sha256)
);

CREATE TABLE events (
	id INTEGER NOT NULL,
	run_id INTEGER,
	target_id INTEGER,
	source_id TEXT,
	event_type TEXT NOT NULL,
	payload JSON NOT NULL,
	created_at TEXT NOT NULL,
	CONSTRAINT pk_events PRIMARY KEY (id)
);

CREATE INDEX ix_events_event_type_created_at ON events (event_type, created_at);

CREATE INDEX ix_events_run_id_id ON events (run_id, id);

CREATE TABLE scraper_errors (
	id INTEGER NOT NULL,
	scraper_id TEXT NOT NULL,
	match_id TEXT,
	timestamp TEXT NOT NULL,
	error_type TEXT NOT NULL,
	error_message TEXT,
	stack_trace TEXT,
	url TEXT,
	operation TEXT,
	retry_attempt INTEGER DEFAULT '0' NOT NULL,
	resolved BOOLEAN NOT NULL,
	resolution_time TEXT,
	resolution_method TEXT,
	CONSTRAINT pk_scraper_errors PRIMARY KEY (id)
);

CREATE INDEX idx_error_type ON scraper_errors (error_type, timestamp);

CREATE INDEX idx_scraper_timestamp ON scraper_errors (scraper_id, timestamp);

CREATE INDEX idx_unresolved ON scraper_errors (resolved, timestamp);

CREATE TABLE scrape_adapter_status (
	adapter_id TEXT NOT NULL,
	enabled BOOLEAN NOT NULL,
	disabled_at TEXT,
	disabled_reason TEXT,
	disabled_by TEXT,
	baseline_failure_rate FLOAT,
	baseline_yield_rate FLOAT,
	baseline_sample_size INTEGER DEFAULT '0' NOT NULL,
	baseline_updated_at TEXT,
	consecutive_failed_batches INTEGER DEFAULT '0' NOT NULL,
	last_batch_failure_rate FLOAT,
	created_at TEXT NOT NULL,
	updated_at TEXT NOT NULL, disabled_details TEXT, consecutive_zero_offer_runs INTEGER DEFAULT '0' NOT NULL, consecutive_zero_price_runs INTEGER DEFAULT '0' NOT NULL, watched_since TEXT,
	CONSTRAINT pk_scrape_adapter_status PRIMARY KEY (adapter_id)
);

CREATE TABLE audit_log (
	id INTEGER NOT NULL,
	at TEXT NOT NULL,
	actor TEXT NOT NULL,
	action TEXT NOT NULL,
	subject TEXT NOT NULL,
	reason TEXT NOT NULL,
	details JSON NOT NULL,
	CONSTRAINT pk_audit_log PRIMARY KEY (id)
);

CREATE INDEX ix_audit_log_subject_at ON audit_log (subject, at);

CREATE VIEW scrape_targets AS
SELECT
  CAST(id AS TEXT) AS id, url, canonical_url, source_id, adapter_id,
  CAST(NULL AS TEXT) AS source_product_id,
  schedule, priority, UPPER(status) AS status, enabled, robots_path_blocked,
  last_scraped_at,
  CASE last_status WHEN 'succeeded' THEN 'SUCCESS' ELSE UPPER(last_status) END AS last_status,
  consecutive_failures, created_at, updated_at, created_by, notes
FROM targets;

CREATE TABLE source_products (
	id INTEGER NOT NULL,
	source_id TEXT NOT NULL,
	identity_key TEXT NOT NULL,
	url TEXT NOT NULL,
	title TEXT NOT NULL,
	brand TEXT,
	retailer_sku TEXT,
	retailer_product_id TEXT,
	upc TEXT,
	image_url TEXT,
	attributes JSON,
	created_at TEXT NOT NULL,
	updated_at TEXT NOT NULL,
	CONSTRAINT pk_source_products PRIMARY KEY (id),
	CONSTRAINT fk_source_products_source_id_sources FOREIGN KEY(source_id) REFERENCES sources (id),
	CONSTRAINT uq_source_products_source_id_identity_key UNIQUE (source_id, identity_key)
);

CREATE TABLE source_product_identifiers (
	id INTEGER NOT NULL,
	source_id TEXT NOT NULL,
	identity_key TEXT NOT NULL,
	id_type TEXT NOT NULL,
	id_value TEXT NOT NULL,
	created_at TEXT NOT NULL,
	CONSTRAINT pk_source_product_identifiers PRIMARY KEY (id),
	CONSTRAINT uq_source_product_identifiers_source_id_identity_key_id_type_id_value UNIQUE (source_id, identity_key, id_type, id_value)
);

CREATE INDEX ix_source_product_identifiers_value ON source_product_identifiers (id_type, id_value);

CREATE TABLE prices (
	id INTEGER NOT NULL,
	job_id INTEGER NOT NULL,
	ingestion_run_type TEXT NOT NULL,
	ingestion_run_id INTEGER NOT NULL,
	source_id TEXT NOT NULL,
	identity_key TEXT NOT NULL,
	price_cents INTEGER NOT NULL,
	currency TEXT NOT NULL,
	availability TEXT NOT NULL,
	in_stock BOOLEAN NOT NULL,
	shipping_cents INTEGER,
	tiers JSON,
	observed_at TEXT NOT NULL,
	adapter_version TEXT NOT NULL, rereads INTEGER,
	CONSTRAINT pk_prices PRIMARY KEY (id),
	CONSTRAINT fk_prices_job_id_jobs FOREIGN KEY(job_id) REFERENCES jobs (id),
	CONSTRAINT uq_prices_job_id_identity_key UNIQUE (job_id, identity_key)
);

CREATE INDEX ix_prices_history ON prices (source_id, identity_key, observed_at);

CREATE INDEX ix_prices_run ON prices (ingestion_run_id);

CREATE TABLE quarantined_records (
	id INTEGER NOT NULL,
	job_id INTEGER NOT NULL,
	source_id TEXT NOT NULL,
	identity_key TEXT,
	reason TEXT NOT NULL,
	details TEXT,
	record JSON,
	url TEXT NOT NULL,
	status TEXT NOT NULL,
	created_at TEXT NOT NULL,
	CONSTRAINT pk_quarantined_records PRIMARY KEY (id),
	CONSTRAINT fk_quarantined_records_job_id_jobs FOREIGN KEY(job_id) REFERENCES jobs (id),
	CONSTRAINT uq_quarantined_records_job_id UNIQUE (job_id)
);

CREATE INDEX ix_quarantined_records_open ON quarantined_records (status, created_at);

CREATE TABLE products (
	id INTEGER NOT NULL,
	upc TEXT,
	fingerprint TEXT,
	title TEXT NOT NULL,
	brand TEXT,
	attributes JSON,
	created_at TEXT NOT NULL,
	CONSTRAINT pk_products PRIMARY KEY (id),
	CONSTRAINT ck_products_is_recognisable CHECK (upc IS NOT NULL OR fingerprint IS NOT NULL),
	CONSTRAINT uq_products_upc UNIQUE (upc),
	CONSTRAINT uq_products_fingerprint UNIQUE (fingerprint)
);

CREATE TABLE product_links (
	source_product_id INTEGER NOT NULL,
	product_id INTEGER,
	method TEXT,
	status TEXT NOT NULL,
	evidence JSON NOT NULL,
	resolved_at TEXT NOT NULL,
	CONSTRAINT pk_product_links PRIMARY KEY (source_product_id),
	CONSTRAINT ck_product_links_method CHECK (method IN ('upc', 'fingerprint', 'manual', 'none')),
	CONSTRAINT ck_product_links_status CHECK (status IN ('linked', 'needs_review')),
	CONSTRAINT fk_product_links_source_product_id_source_products FOREIGN KEY(source_product_id) REFERENCES source_products (id),
	CONSTRAINT fk_product_links_product_id_products FOREIGN KEY(product_id) REFERENCES products (id)
);

CREATE INDEX ix_product_links_product ON product_links (product_id);

CREATE INDEX ix_product_links_status ON product_links (status);

CREATE TABLE source_trust_config (
	source_id TEXT NOT NULL,
	visibility_status TEXT NOT NULL,
	upc_trusted BOOLEAN NOT NULL,
	updated_at TEXT NOT NULL,
	CONSTRAINT pk_source_trust_config PRIMARY KEY (source_id),
	CONSTRAINT ck_source_trust_config_visibility_status CHECK (visibility_status IN ('INELIGIBLE', 'ELIGIBLE')),
	CONSTRAINT fk_source_trust_config_source_id_sources FOREIGN KEY(source_id) REFERENCES sources (id)
);

CREATE TABLE price_corrections (
	id INTEGER NOT NULL,
	action TEXT NOT NULL,
	factor_millionths BIGINT,
	scope TEXT NOT NULL,
	scope_id TEXT NOT NULL,
	starts_at TEXT NOT NULL,
	ends_at TEXT,
	reason TEXT NOT NULL,
	created_by TEXT NOT NULL,
	created_at TEXT NOT NULL,
	revoked_at TEXT,
	revoked_by TEXT,
	CONSTRAINT pk_price_corrections PRIMARY KEY (id),
	CONSTRAINT ck_price_corrections_action CHECK (action IN ('IGNORE', 'MULTIPLIER')),
	CONSTRAINT ck_price_corrections_scope CHECK (scope IN ('source', 'source_product', 'product', 'run')),
	CONSTRAINT ck_price_corrections_factor CHECK ((action = 'MULTIPLIER') = (factor_millionths IS NOT NULL))
);

CREATE INDEX ix_price_corrections_scope ON price_corrections (scope, scope_id);

CREATE TABLE ignored_runs (
	id INTEGER NOT NULL,
	run_id INTEGER NOT NULL,
	reason TEXT NOT NULL,
	ignored_by TEXT NOT NULL,
	ignored_at TEXT NOT NULL,
	revoked_at TEXT,
	revoked_by TEXT,
	CONSTRAINT pk_ignored_runs PRIMARY KEY (id),
	CONSTRAINT fk_ignored_runs_run_id_runs FOREIGN KEY(run_id) REFERENCES runs (id),
	CONSTRAINT uq_ignored_runs_run_id_ignored_at UNIQUE (run_id, ignored_at)
);

CREATE TABLE source_switches (
	source_id TEXT NOT NULL,
	reason TEXT NOT NULL,
	details TEXT NOT NULL,
	switched_off_at TEXT NOT NULL,
	switched_off_by TEXT NOT NULL,
	CONSTRAINT pk_source_switches PRIMARY KEY (source_id)
);

CREATE TABLE scrape_batches (
	run_id INTEGER NOT NULL,
	adapter_id TEXT NOT NULL,
	adapter_version TEXT,
	urls_attempted INTEGER NOT NULL,
	urls_succeeded INTEGER NOT NULL,
	urls_failed INTEGER NOT NULL,
	offers_extracted INTEGER NOT NULL,
	offers_valid INTEGER NOT NULL,
	offers_dropped INTEGER NOT NULL,
	offers_quarantined INTEGER NOT NULL,
	zero_price_count INTEGER NOT NULL,
	lost_price_count INTEGER NOT NULL,
	oos_no_price_count INTEGER NOT NULL,
	duplicate_count INTEGER NOT NULL,
	no_record_count INTEGER NOT NULL,
	urls_judged INTEGER NOT NULL,
	failure_rate FLOAT NOT NULL,
	drop_rate FLOAT NOT NULL,
	yield_rate FLOAT NOT NULL,
	counts_toward_drift BOOLEAN NOT NULL,
	decision TEXT NOT NULL,
	reasons JSON NOT NULL,
	concluded_at TEXT NOT NULL,
	CONSTRAINT pk_scrape_batches PRIMARY KEY (run_id, adapter_id),
	CONSTRAINT fk_scrape_batches_run_id_runs FOREIGN KEY(run_id) REFERENCES runs (id)
);

CREATE INDEX ix_scrape_batches_adapter_id_concluded_at ON scrape_batches (adapter_id, concluded_at);

CREATE INDEX ix_targets_schedule ON targets (source_id, schedule) WHERE schedule IS NOT NULL;

CREATE INDEX ix_jobs_blocks ON jobs (source_id, ended_at) WHERE reason IN ('blocked', 'blocked_page', 'rate_limited', 'robots_blocked');

CREATE TABLE csv_versions (
	id INTEGER NOT NULL,
	source TEXT NOT NULL,
	fetched_at TEXT NOT NULL,
	source_url TEXT NOT NULL,
	etag TEXT,
	last_modified TEXT,
	sha256 TEXT NOT NULL,
	row_count INTEGER NOT NULL,
	valid INTEGER NOT NULL,
	error_code TEXT,
	error_message TEXT,
	file_path TEXT NOT NULL,
	checked_at TEXT NOT NULL,
	checks INTEGER NOT NULL,
	is_held BOOLEAN NOT NULL,
	case_count INTEGER NOT NULL,
	new_count INTEGER NOT NULL,
	changed_count INTEGER NOT NULL,
	removed_count INTEGER NOT NULL,
	reappeared_count INTEGER NOT NULL,
	criminal_count INTEGER NOT NULL,
	blank_count INTEGER NOT NULL,
	duplicate_count INTEGER NOT NULL,
	undated_count INTEGER NOT NULL,
	CONSTRAINT pk_csv_versions PRIMARY KEY (id),
	CONSTRAINT ck_csv_versions_valid CHECK (valid IN (0, 1)),
	CONSTRAINT fk_csv_versions_source_sources FOREIGN KEY(source) REFERENCES sources (id)
);

CREATE INDEX ix_csv_versions_source ON csv_versions (source, id);

CREATE TABLE cases (
	id INTEGER NOT NULL,
	action_token_raw TEXT NOT NULL,
	action_token_norm TEXT NOT NULL,
	title TEXT,
	neutral_citation TEXT,
	cause_number TEXT,
	court TEXT,
	category TEXT,
	subject TEXT,
	judgment_date TEXT,
	judgment_date_raw TEXT,
	is_criminal INTEGER NOT NULL,
	is_active INTEGER NOT NULL,
	source TEXT NOT NULL,
	first_seen_version_id INTEGER NOT NULL,
	last_seen_version_id INTEGER NOT NULL,
	address TEXT NOT NULL,
	file_key TEXT NOT NULL,
	fingerprint TEXT NOT NULL,
	CONSTRAINT pk_cases PRIMARY KEY (id),
	CONSTRAINT ck_cases_is_criminal CHECK (is_criminal IN (0, 1)),
	CONSTRAINT ck_cases_is_active CHECK (is_active IN (0, 1)),
	CONSTRAINT fk_cases_source_sources FOREIGN KEY(source) REFERENCES sources (id),
	CONSTRAINT fk_cases_first_seen_version_id_csv_versions FOREIGN KEY(first_seen_version_id) REFERENCES csv_versions (id),
	CONSTRAINT fk_cases_last_seen_version_id_csv_versions FOREIGN KEY(last_seen_version_id) REFERENCES csv_versions (id),
	CONSTRAINT uq_cases_file_key UNIQUE (file_key),
	CONSTRAINT uq_cases_source_action_token_raw UNIQUE (source, action_token_raw),
	CONSTRAINT uq_cases_source_address UNIQUE (source, address)
);

CREATE INDEX idx_cases_token_norm ON cases (action_token_norm);

CREATE TABLE case_changes (
	id INTEGER NOT NULL,
	case_id INTEGER NOT NULL,
	version_id INTEGER NOT NULL,
	kind TEXT NOT NULL,
	field TEXT,
	old_value TEXT,
	new_value TEXT,
	changed_at TEXT NOT NULL,
	CONSTRAINT pk_case_changes PRIMARY KEY (id),
	CONSTRAINT ck_case_changes_kind CHECK (kind IN ('changed', 'removed', 'reappeared')),
	CONSTRAINT fk_case_changes_case_id_cases FOREIGN KEY(case_id) REFERENCES cases (id),
	CONSTRAINT fk_case_changes_version_id_csv_versions FOREIGN KEY(version_id) REFERENCES csv_versions (id)
);

CREATE INDEX ix_case_changes_case ON case_changes (case_id, id);

CREATE INDEX ix_case_changes_version ON case_changes (version_id);

CREATE TABLE case_files (
	id INTEGER NOT NULL,
	job_id INTEGER NOT NULL,
	run_id INTEGER NOT NULL,
	case_id INTEGER NOT NULL,
	path TEXT NOT NULL,
	sha256 TEXT NOT NULL,
	size_bytes BIGINT NOT NULL,
	box_url TEXT,
	was_adopted BOOLEAN NOT NULL,
	stored_at TEXT NOT NULL,
	CONSTRAINT pk_case_files PRIMARY KEY (id),
	CONSTRAINT fk_case_files_job_id_jobs FOREIGN KEY(job_id) REFERENCES jobs (id),
	CONSTRAINT fk_case_files_run_id_runs FOREIGN KEY(run_id) REFERENCES runs (id),
	CONSTRAINT fk_case_files_case_id_cases FOREIGN KEY(case_id) REFERENCES cases (id),
	CONSTRAINT uq_case_files_job_id UNIQUE (job_id)
);

CREATE INDEX ix_case_files_case ON case_files (case_id);

CREATE INDEX ix_case_files_run ON case_files (run_id);

CREATE TABLE judgment_runs (
	run_id INTEGER NOT NULL,
	source TEXT NOT NULL,
	csv_version_id INTEGER NOT NULL,
	is_fallback BOOLEAN NOT NULL,
	resume_strategy TEXT NOT NULL,
	cases_total INTEGER NOT NULL,
	cases_criminal INTEGER NOT NULL,
	cases_downloaded INTEGER NOT NULL,
	cases_targeted INTEGER NOT NULL,
	is_limited BOOLEAN NOT NULL,
	expected_bytes BIGINT NOT NULL,
	free_bytes BIGINT NOT NULL,
	planned_at TEXT NOT NULL,
	CONSTRAINT pk_judgment_runs PRIMARY KEY (run_id),
	CONSTRAINT fk_judgment_runs_run_id_runs FOREIGN KEY(run_id) REFERENCES runs (id),
	CONSTRAINT fk_judgment_runs_csv_version_id_csv_versions FOREIGN KEY(csv_version_id) REFERENCES csv_versions (id)
);

CREATE INDEX ix_judgment_runs_source ON judgment_runs (source, run_id);

CREATE VIEW judgment_scrapes AS
SELECT
  r.id AS id,
  r.started_at AS started_at,
  r.ended_at AS ended_at,
  CASE r.trigger WHEN 'schedule' THEN 'cron' ELSE r.trigger END AS trigger,
  r.mode AS mode,
  p.csv_version_id AS csv_version_id,
  CAST(r.params AS TEXT) AS params_json,
  CASE r.state WHEN 'quarantined' THEN 'failed' ELSE r.state END AS status,
  r.error_message AS error_summary,
  r.source_id AS source
FROM runs r
LEFT JOIN judgment_runs p ON p.run_id = r.id
WHERE r.app = 'judgments';

CREATE TABLE docket_cases (
	id INTEGER NOT NULL,
	source_id TEXT NOT NULL,
	case_id TEXT NOT NULL,
	prefix TEXT NOT NULL,
	year INTEGER NOT NULL,
	number INTEGER NOT NULL,
	status TEXT NOT NULL,
	attempts INTEGER NOT NULL,
	last_error TEXT,
	version INTEGER NOT NULL,
	content_sha256 TEXT,
	last_job_id INTEGER,
	known_from TEXT,
	first_attempt_at TEXT NOT NULL,
	last_attempt_at TEXT NOT NULL,
	last_success_at TEXT,
	vanished_at TEXT,
	CONSTRAINT pk_docket_cases PRIMARY KEY (id),
	CONSTRAINT ck_docket_cases_status CHECK (status IN ('succeeded', 'no_record', 'failed')),
	CONSTRAINT fk_docket_cases_source_id_sources FOREIGN KEY(source_id) REFERENCES sources (id),
	CONSTRAINT uq_docket_cases_source_id_case_id UNIQUE (source_id, case_id)
);

CREATE INDEX ix_docket_cases_register ON docket_cases (source_id, prefix, year, number);

CREATE TABLE docket_case_versions (
	id INTEGER NOT NULL,
	docket_case_id INTEGER NOT NULL,
	version INTEGER NOT NULL,
	style_of_cause TEXT,
	case_type TEXT,
	type_of_action TEXT,
	nature_of_proceeding TEXT,
	filing_date TEXT,
	office TEXT,
	language TEXT,
	entry_count INTEGER NOT NULL,
	parties JSON,
	related_cases JSON,
	details JSON NOT NULL,
	url TEXT NOT NULL,
	content_sha256 TEXT NOT NULL,
	job_id INTEGER NOT NULL,
	adapter_version TEXT NOT NULL,
	recorded_at TEXT NOT NULL,
	saved_path TEXT,
	CONSTRAINT pk_docket_case_versions PRIMARY KEY (id),
	CONSTRAINT fk_docket_case_versions_docket_case_id_docket_cases FOREIGN KEY(docket_case_id) REFERENCES docket_cases (id),
	CONSTRAINT fk_docket_case_versions_job_id_jobs FOREIGN KEY(job_id) REFERENCES jobs (id),
	CONSTRAINT uq_docket_case_versions_docket_case_id_version UNIQUE (docket_case_id, version)
);

CREATE INDEX ix_docket_case_versions_job_id ON docket_case_versions (job_id);

CREATE INDEX ix_docket_case_versions_unsaved ON docket_case_versions (id) WHERE saved_path IS NULL;

CREATE TABLE docket_entries (
	id INTEGER NOT NULL,
	docket_case_id INTEGER NOT NULL,
	entry_id INTEGER NOT NULL,
	version INTEGER NOT NULL,
	case_version INTEGER NOT NULL,
	date_filed TEXT,
	office TEXT,
	summary TEXT NOT NULL,
	is_published BOOLEAN NOT NULL,
	is_removed BOOLEAN NOT NULL,
	details JSON NOT NULL,
	content_sha256 TEXT NOT NULL,
	recorded_at TEXT NOT NULL,
	CONSTRAINT pk_docket_entries PRIMARY KEY (id),
	CONSTRAINT fk_docket_entries_docket_case_id_docket_cases FOREIGN KEY(docket_case_id) REFERENCES docket_cases (id),
	CONSTRAINT uq_docket_entries_docket_case_id_entry_id_version UNIQUE (docket_case_id, entry_id, version)
);

CREATE TABLE docket_documents (
	id INTEGER NOT NULL,
	docket_case_id INTEGER NOT NULL,
	entry_id INTEGER NOT NULL,
	document_number TEXT NOT NULL,
	sha256 TEXT NOT NULL,
	path TEXT NOT NULL,
	size_bytes INTEGER NOT NULL,
	job_id INTEGER NOT NULL,
	stored_at TEXT NOT NULL,
	CONSTRAINT pk_docket_documents PRIMARY KEY (id),
	CONSTRAINT fk_docket_documents_docket_case_id_docket_cases FOREIGN KEY(docket_case_id) REFERENCES docket_cases (id),
	CONSTRAINT fk_docket_documents_job_id_jobs FOREIGN KEY(job_id) REFERENCES jobs (id),
	CONSTRAINT uq_docket_documents_docket_case_id_document_number_sha256 UNIQUE (docket_case_id, document_number, sha256)
);

CREATE TABLE docket_bounds (
	source_id TEXT NOT NULL,
	prefix TEXT NOT NULL,
	year INTEGER NOT NULL,
	upper_bound INTEGER NOT NULL,
	probes INTEGER NOT NULL,
	terms JSON NOT NULL,
	found_at TEXT NOT NULL,
	expires_at TEXT NOT NULL,
	CONSTRAINT pk_docket_bounds PRIMARY KEY (source_id, prefix, year),
	CONSTRAINT fk_docket_bounds_source_id_sources FOREIGN KEY(source_id) REFERENCES sources (id)
);

CREATE VIEW batch_jobs AS
SELECT
  CAST(j.run_id AS TEXT) || '-' || CAST(j.id AS TEXT) AS job_id,
  t.url AS url,
  t.params AS params,
  CASE WHEN j.state IN ('succeeded', 'no_record') THEN 'succeeded' WHEN j.state = 'running' THEN 'running'
    WHEN j.state IN ('pending', 'skipped') THEN 'pending' ELSE 'failed' END AS state,
  j.attempts AS attempts,
  CASE WHEN j.state IN ('failed', 'dropped', 'quarantined') THEN json_object('type', j.reason, 'message', j.details, 'ts', j.ended_at) END AS last_error,
  j.planned_at AS created_at
FROM jobs j
JOIN targets t ON t.id = j.target_id
JOIN runs r ON r.id = j.run_id
WHERE r.app = 'dockets';

CREATE VIEW docket_entries_now AS
SELECT e.*
FROM docket_entries e
WHERE NOT e.is_removed AND NOT EXISTS (
  SELECT 1 FROM docket_entries later
  WHERE later.docket_case_id = e.docket_case_id AND later.entry_id = e.entry_id AND later.version > e.version
);

CREATE TABLE matches (
	match_id TEXT NOT NULL,
	domain_id TEXT NOT NULL,
	title TEXT NOT NULL,
	status TEXT NOT NULL,
	state TEXT NOT NULL,
	start_time TEXT,
	sequence_number INTEGER DEFAULT '0' NOT NULL,
	last_scraper_update TEXT,
	data_freshness_seconds INTEGER DEFAULT '0' NOT NULL,
	scraper_status TEXT DEFAULT 'unknown' NOT NULL,
	created_at TEXT NOT NULL,
	updated_at TEXT NOT NULL,
	CONSTRAINT pk_matches PRIMARY KEY (match_id)
);

CREATE INDEX idx_freshness ON matches (data_freshness_seconds);

CREATE INDEX idx_scraper_status ON matches (scraper_status);

CREATE INDEX ix_matches_state ON matches (state);

CREATE TABLE match_monitors (
	monitor_id TEXT NOT NULL,
	match_id TEXT NOT NULL,
	domain_id TEXT NOT NULL,
	match_key TEXT NOT NULL,
	url TEXT NOT NULL,
	state TEXT NOT NULL,
	priority_state TEXT NOT NULL,
	last_update_time TEXT,
	consecutive_failure_count INTEGER NOT NULL,
	paused BOOLEAN NOT NULL,
	pause_until TEXT,
	total_scrapes INTEGER NOT NULL,
	total_failures INTEGER NOT NULL,
	metadata JSON NOT NULL,
	created_at TEXT NOT NULL,
	updated_at TEXT NOT NULL,
	CONSTRAINT pk_match_monitors PRIMARY KEY (monitor_id),
	CONSTRAINT fk_match_monitors_match_id_matches FOREIGN KEY(match_id) REFERENCES matches (match_id),
	CONSTRAINT uq_match_monitors_domain_id_match_key UNIQUE (domain_id, match_key)
);

CREATE INDEX ix_match_monitors_match_id ON match_monitors (match_id);

CREATE TABLE live_match_data (
	id INTEGER NOT NULL,
	match_id TEXT NOT NULL,
	sequence_number INTEGER NOT NULL,
	domain_id TEXT NOT NULL,
	normalized_payload JSON NOT NULL,
	provenance JSON NOT NULL,
	checksum TEXT NOT NULL,
	created_at TEXT NOT NULL,
	scraper_id TEXT,
	update_latency_ms INTEGER,
	data_source TEXT DEFAULT 'scraper' NOT NULL,
	CONSTRAINT pk_live_match_data PRIMARY KEY (id),
	CONSTRAINT fk_live_match_data_match_id_matches FOREIGN KEY(match_id) REFERENCES matches (match_id),
	CONSTRAINT uq_live_match_data_match_id_sequence_number UNIQUE (match_id, sequence_number)
);

CREATE INDEX idx_scraper ON live_match_data (scraper_id);

CREATE TABLE match_balls (
	id INTEGER NOT NULL,
	match_id TEXT NOT NULL,
	innings INTEGER NOT NULL,
	over INTEGER NOT NULL,
	delivery INTEGER NOT NULL,
	version INTEGER NOT NULL,
	ball INTEGER NOT NULL,
	legal_balls INTEGER NOT NULL,
	outcome TEXT NOT NULL,
	runs INTEGER NOT NULL,
	extras INTEGER NOT NULL,
	extra_kind TEXT,
	is_wicket BOOLEAN NOT NULL,
	is_legal BOOLEAN NOT NULL,
	domain_id TEXT NOT NULL,
	found TEXT NOT NULL,
	observed_at TEXT NOT NULL,
	CONSTRAINT pk_match_balls PRIMARY KEY (id),
	CONSTRAINT fk_match_balls_match_id_matches FOREIGN KEY(match_id) REFERENCES matches (match_id),
	CONSTRAINT uq_match_balls_match_id_innings_over_delivery_version UNIQUE (match_id, innings, over, delivery, version)
);

CREATE TABLE match_scorecards (
	id INTEGER NOT NULL,
	match_id TEXT NOT NULL,
	innings INTEGER NOT NULL,
	version INTEGER NOT NULL,
	card JSON NOT NULL,
	changes JSON NOT NULL,
	domain_id TEXT NOT NULL,
	observed_at TEXT NOT NULL,
	CONSTRAINT pk_match_scorecards PRIMARY KEY (id),
	CONSTRAINT fk_match_scorecards_match_id_matches FOREIGN KEY(match_id) REFERENCES matches (match_id),
	CONSTRAINT uq_match_scorecards_match_id_innings_version UNIQUE (match_id, innings, version)
);

CREATE TABLE match_conflicts (
	id INTEGER NOT NULL,
	match_id TEXT NOT NULL,
	field TEXT NOT NULL,
	chosen_source TEXT NOT NULL,
	chosen_value TEXT NOT NULL,
	other_source TEXT NOT NULL,
	other_value TEXT NOT NULL,
	difference FLOAT NOT NULL,
	created_at TEXT NOT NULL,
	CONSTRAINT pk_match_conflicts PRIMARY KEY (id),
	CONSTRAINT fk_match_conflicts_match_id_matches FOREIGN KEY(match_id) REFERENCES matches (match_id)
);

CREATE INDEX ix_match_conflicts_match_id ON match_conflicts (match_id, id);

CREATE TABLE scraper_health_log (
	id INTEGER NOT NULL,
	scraper_id TEXT NOT NULL,
	match_id TEXT,
	timestamp TEXT NOT NULL,
	health_status TEXT NOT NULL,
	error_count INTEGER DEFAULT '0' NOT NULL,
	memory_mb NUMERIC(10, 2),
	cpu_percent NUMERIC(7, 2),
	update_latency_ms INTEGER,
	polling_interval_seconds NUMERIC(7, 2),
	uptime_seconds INTEGER,
	last_update_age_seconds INTEGER,
	CONSTRAINT pk_scraper_health_log PRIMARY KEY (id)
);

CREATE INDEX idx_health_scraper_timestamp ON scraper_health_log (scraper_id, timestamp);

CREATE INDEX idx_health_status ON scraper_health_log (health_status, timestamp);

CREATE INDEX idx_match_timestamp ON scraper_health_log (match_id, timestamp);

CREATE TABLE recovery_audit (
	entry_id TEXT NOT NULL,
	timestamp TEXT NOT NULL,
	action_type TEXT NOT NULL,
	trigger_condition TEXT NOT NULL,
	outcome TEXT,
	duration_seconds FLOAT NOT NULL,
	metadata JSON NOT NULL,
	judged_at TEXT,
	CONSTRAINT pk_recovery_audit PRIMARY KEY (entry_id)
);

CREATE INDEX ix_recovery_audit_timestamp ON recovery_audit (timestamp);

CREATE TABLE match_orders (
	id INTEGER NOT NULL,
	action TEXT NOT NULL,
	match_id TEXT,
	requested_by TEXT NOT NULL,
	reason TEXT NOT NULL,
	requested_at TEXT NOT NULL,
	done_at TEXT,
	outcome TEXT,
	CONSTRAINT pk_match_orders PRIMARY KEY (id)
);

CREATE INDEX ix_match_orders_done_at ON match_orders (done_at);

CREATE TABLE push_cursors (
	stream TEXT NOT NULL,
	position INTEGER NOT NULL,
	updated_at TEXT NOT NULL,
	CONSTRAINT pk_push_cursors PRIMARY KEY (stream)
);

CREATE TABLE alerts (
	id INTEGER NOT NULL,
	kind TEXT NOT NULL,
	subject TEXT NOT NULL,
	severity TEXT NOT NULL,
	status TEXT NOT NULL,
	title TEXT NOT NULL,
	details TEXT NOT NULL,
	fix TEXT NOT NULL,
	source_id TEXT,
	run_id INTEGER,
	evidence JSON NOT NULL,
	occurrences INTEGER NOT NULL,
	first_seen_at TEXT NOT NULL,
	last_seen_at TEXT NOT NULL,
	acknowledged_at TEXT,
	acknowledged_by TEXT,
	resolved_at TEXT,
	resolved_by TEXT,
	note TEXT,
	CONSTRAINT pk_alerts PRIMARY KEY (id),
	CONSTRAINT ck_alerts_severity CHECK (severity IN ('P1', 'P2', 'P3')),
	CONSTRAINT ck_alerts_status CHECK (status IN ('open', 'acknowledged', 'resolved'))
);

CREATE UNIQUE INDEX uq_alerts_alive ON alerts (kind, subject) WHERE status <> 'resolved';

CREATE INDEX ix_alerts_status_last_seen_at ON alerts (status, last_seen_at);

CREATE TABLE alert_occurrences (
	event_id INTEGER NOT NULL,
	alert_id INTEGER,
	at TEXT NOT NULL,
	CONSTRAINT pk_alert_occurrences PRIMARY KEY (event_id),
	CONSTRAINT fk_alert_occurrences_alert_id_alerts FOREIGN KEY(alert_id) REFERENCES alerts (id)
);

CREATE INDEX ix_alert_occurrences_alert_id ON alert_occurrences (alert_id);

CREATE INDEX ix_alert_occurrences_at ON alert_occurrences (at);

CREATE TABLE alert_deliveries (
	id INTEGER NOT NULL,
	alert_id INTEGER NOT NULL,
	destination TEXT NOT NULL,
	news TEXT NOT NULL,
	state TEXT NOT NULL,
	tries INTEGER NOT NULL,
	not_before TEXT NOT NULL,
	last_error TEXT,
	created_at TEXT NOT NULL,
	sent_at TEXT,
	CONSTRAINT pk_alert_deliveries PRIMARY KEY (id),
	CONSTRAINT ck_alert_deliveries_state CHECK (state IN ('waiting', 'sent', 'failed')),
	CONSTRAINT fk_alert_deliveries_alert_id_alerts FOREIGN KEY(alert_id) REFERENCES alerts (id),
	CONSTRAINT uq_alert_deliveries_alert_id_destination_news UNIQUE (alert_id, destination, news)
);

CREATE INDEX ix_alert_deliveries_state_not_before ON alert_deliveries (state, not_before);

CREATE TABLE leaderships (
	role TEXT NOT NULL,
	holder TEXT NOT NULL,
	fence INTEGER NOT NULL,
	held_until TEXT NOT NULL,
	CONSTRAINT pk_leaderships PRIMARY KEY (role)
);

CREATE TABLE snapshot_frames (
	sha256 TEXT NOT NULL,
	frame BLOB NOT NULL,
	CONSTRAINT pk_snapshot_frames PRIMARY KEY (sha256)
);

CREATE TABLE accounts (
	id INTEGER NOT NULL,
	name TEXT NOT NULL,
	role TEXT NOT NULL,
	password_hash TEXT,
	password_set_at TEXT,
	created_at TEXT NOT NULL,
	created_by TEXT NOT NULL,
	CONSTRAINT pk_accounts PRIMARY KEY (id),
	CONSTRAINT ck_accounts_role CHECK (role IN ('viewer', 'operator', 'admin')),
	CONSTRAINT uq_accounts_name UNIQUE (name)
);

CREATE TABLE web_sessions (
	id INTEGER NOT NULL,
	token_hash TEXT NOT NULL,
	account_id INTEGER NOT NULL,
	created_at TEXT NOT NULL,
	seen_at TEXT NOT NULL,
	expires_at TEXT NOT NULL,
	address TEXT NOT NULL,
	CONSTRAINT pk_web_sessions PRIMARY KEY (id),
	CONSTRAINT fk_web_sessions_account_id_accounts FOREIGN KEY(account_id) REFERENCES accounts (id),
	CONSTRAINT uq_web_sessions_token_hash UNIQUE (token_hash)
);

CREATE INDEX ix_web_sessions_account_id ON web_sessions (account_id);

CREATE TABLE entry_links (
	token_hash TEXT NOT NULL,
	account_id INTEGER NOT NULL,
	created_at TEXT NOT NULL,
	expires_at TEXT NOT NULL,
	used_at TEXT,
	CONSTRAINT pk_entry_links PRIMARY KEY (token_hash),
	CONSTRAINT fk_entry_links_account_id_accounts FOREIGN KEY(account_id) REFERENCES accounts (id)
);

CREATE TABLE api_tokens (
	id INTEGER NOT NULL,
	name TEXT NOT NULL,
	token_hash TEXT NOT NULL,
	begins TEXT NOT NULL,
	account_id INTEGER NOT NULL,
	scope TEXT NOT NULL,
	created_at TEXT NOT NULL,
	expires_at TEXT,
	used_at TEXT,
	revoked_at TEXT,
	CONSTRAINT pk_api_tokens PRIMARY KEY (id),
	CONSTRAINT ck_api_tokens_scope CHECK (scope IN ('metrics', 'read', 'operate', 'admin')),
	CONSTRAINT fk_api_tokens_account_id_accounts FOREIGN KEY(account_id) REFERENCES accounts (id),
	CONSTRAINT uq_api_tokens_token_hash UNIQUE (token_hash)
);

CREATE INDEX ix_api_tokens_account_id ON api_tokens (account_id);

CREATE TABLE login_failures (
	id INTEGER NOT NULL,
	name TEXT NOT NULL,
	address TEXT NOT NULL,
	at TEXT NOT NULL,
	CONSTRAINT pk_login_failures PRIMARY KEY (id)
);

CREATE INDEX ix_login_failures_at ON login_failures (at);

CREATE TABLE idempotency_keys (
	caller TEXT NOT NULL,
	"key" TEXT NOT NULL,
	fingerprint TEXT NOT NULL,
	created_at TEXT NOT NULL,
	status INTEGER,
	headers JSON,
	body BLOB,
	CONSTRAINT pk_idempotency_keys PRIMARY KEY (caller, "key")
);

CREATE INDEX ix_idempotency_keys_created_at ON idempotency_keys (created_at);

CREATE TABLE halts (
	scope TEXT NOT NULL,
	reason TEXT NOT NULL,
	halted_at TEXT NOT NULL,
	halted_by TEXT NOT NULL,
	CONSTRAINT pk_halts PRIMARY KEY (scope),
	CONSTRAINT ck_halts_scope CHECK (scope <> '')
);

CREATE INDEX ix_docket_cases_standing ON docket_cases (source_id, prefix, year, status, number);

CREATE INDEX idx_cases_source ON cases (source, id);

CREATE INDEX ix_cases_newest ON cases (coalesce(judgment_date, ''), id);

CREATE INDEX ix_cases_newest_of_source ON cases (source, coalesce(judgment_date, ''), id);

CREATE INDEX ix_jobs_rereads ON jobs (rereads, id) WHERE rereads IS NOT NULL;

CREATE VIEW scrape_runs AS
SELECT
  CAST(r.id AS TEXT) AS id,
  COALESCE(c.adapter_id, s.adapter_id) AS adapter_id,
  c.adapter_version AS adapter_version,
  r.source_id AS source_id,
  CAST(NULL AS TEXT) AS retailer_id,
  CASE r.trigger WHEN 'schedule' THEN 'SCHEDULED' WHEN 'retry' THEN 'RETRY' WHEN 'recheck' THEN 'RETRY'
    ELSE 'MANUAL' END AS trigger,
  CASE r.state WHEN 'running' THEN 'RUNNING' WHEN 'completed' THEN 'SUCCESS' WHEN 'quarantined'
    THEN 'QUARANTINED' ELSE 'FAILED' END AS status,
  r.started_at AS started_at,
  r.ended_at AS completed_at,
  CAST(ROUND((julianday(r.ended_at) - julianday(r.started_at)) * 86400000) AS INTEGER) AS duration_ms,
  COALESCE(c.attempted, 0) AS urls_attempted,
  COALESCE(c.attempted - c.failed, 0) AS urls_succeeded,
  COALESCE(c.failed, 0) AS urls_failed,
  COALESCE(c.extracted, 0) AS offers_extracted,
  COALESCE(c.valid, 0) AS offers_valid,
  COALESCE(c.dropped, 0) AS offers_dropped,
  COALESCE(c.quarantined, 0) AS offers_quarantined,
  COALESCE(c.oos_no_price, 0) AS oos_no_price_count,
  ROUND(CAST(c.failed AS NUMERIC) * 1.0 / NULLIF(c.attempted, 0), 4) AS failure_rate,
  ROUND(CAST(c.valid AS NUMERIC) * 1.0 / NULLIF(c.attempted, 0), 4) AS yield_rate,
  ROUND(CAST(c.dropped AS NUMERIC) * 1.0 / NULLIF(c.extracted, 0), 4) AS drop_rate,
  r.error_code AS error_code,
  r.error_message AS error_message,
  r.started_at AS created_at
FROM runs r
LEFT JOIN sources s ON s.id = r.source_id
LEFT JOIN (
  SELECT
    run_id,
    MAX(site_id) AS adapter_id,
    MAX(site_version) AS adapter_version,
    SUM(CASE WHEN state IN ('succeeded', 'no_record', 'failed', 'dropped', 'quarantined')
      THEN 1 ELSE 0 END) AS attempted,
    SUM(CASE WHEN state = 'failed' THEN 1 ELSE 0 END) AS failed,
    SUM(CASE WHEN state = 'succeeded' THEN 1 ELSE 0 END) AS valid,
    SUM(CASE WHEN state IN ('succeeded', 'quarantined')
      OR (state = 'dropped' AND COALESCE(reason, '') <> 'oos_no_price') THEN 1 ELSE 0 END) AS extracted,
    SUM(CASE WHEN state = 'dropped' AND COALESCE(reason, '') <> 'oos_no_price'
      THEN 1 ELSE 0 END) AS dropped,
    SUM(CASE WHEN state = 'quarantined' THEN 1 ELSE 0 END) AS quarantined,
    SUM(CASE WHEN state = 'dropped' AND reason = 'oos_no_price' THEN 1 ELSE 0 END) AS oos_no_price
  FROM jobs GROUP BY run_id
) c ON c.run_id = r.id
WHERE r.mode <> 'reread';

CREATE TABLE case_searches (
	id INTEGER NOT NULL,
	searched TEXT NOT NULL,
	CONSTRAINT pk_case_searches PRIMARY KEY (id),
	CONSTRAINT fk_case_searches_id_cases FOREIGN KEY(id) REFERENCES cases (id)
);

CREATE TABLE leaving_packs (
	pack TEXT NOT NULL,
	since TEXT NOT NULL,
	CONSTRAINT pk_leaving_packs PRIMARY KEY (pack)
);

CREATE TABLE retention_horizons (
	kind TEXT NOT NULL,
	source_id TEXT NOT NULL,
	complete_since TEXT NOT NULL,
	CONSTRAINT pk_retention_horizons PRIMARY KEY (kind, source_id)
);

CREATE INDEX ix_jobs_snapshot ON jobs (snapshot);

CREATE INDEX ix_snapshots_pack_offset ON snapshots (pack, "offset");

CREATE VIEW downloads AS
SELECT
  j.id AS id,
  j.run_id AS run_id,
  c.id AS case_id,
  CASE j.state WHEN 'running' THEN 'in_progress' WHEN 'succeeded' THEN 'downloaded'
    WHEN 'pending' THEN 'pending' WHEN 'skipped' THEN 'skipped' ELSE 'failed' END AS status,
  j.attempts AS attempt_count,
  COALESCE(t.started_at, j.started_at) AS last_attempt_at,
  SUBSTR(f.path, LENGTH('pdfs/') + 1) AS file_path,
  f.size_bytes AS file_size_bytes,
  f.box_url AS box_url_last,

  CASE
    WHEN j.state NOT IN ('failed', 'dropped', 'quarantined') THEN NULL
    WHEN t.error_code IN ('ajax_403', 'ajax_500', 'ajax_parse_error', 'csv_case_not_found',
      'disk_insufficient', 'browser_launch_failed', 'browser_element_not_found', 'invalid_box_url', 'malformed_pdf')
      THEN t.error_code
    WHEN t.error_code = 'box_url_expired' THEN 'invalid_box_url'
    WHEN t.error_code = 'fetch.timeout' THEN 'network_timeout'
    WHEN SUBSTR(t.error_code, 1, 6) = 'fetch.' OR SUBSTR(t.error_code, 1, 5) = 'gate.' THEN 'network_error'
    ELSE 'unknown'
  END AS error_code,
  COALESCE(j.details, j.reason) AS error_message,
  j.planned_at AS created_at,
  COALESCE(j.ended_at, t.started_at, j.started_at, j.planned_at) AS updated_at
FROM jobs j
JOIN targets g ON g.id = j.target_id
JOIN cases c ON c.source = g.source_id AND c.address = g.canonical_url
LEFT JOIN case_files f ON f.job_id = j.id
LEFT JOIN attempts t ON t.id = (SELECT MAX(a.id) FROM attempts a WHERE a.job_id = j.id);

INSERT INTO limpet_schema_version VALUES ('0017');
