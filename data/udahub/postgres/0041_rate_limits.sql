-- What was done how often in the window of time that ends at `expire`, in milliseconds. Forgotten in a crash.
CREATE UNLOGGED TABLE rate_limits (
	key varchar(255) PRIMARY KEY,
	points integer NOT NULL DEFAULT 0,
	expire bigint
);
