-- By which address an operator signs in to the console through the operators' own identity provider, and which account there is
-- theirs: none before the first sign-in. Setting the address unlinks the account, and so ends its sessions.
CREATE TABLE operator_identities (
  operator_id text NOT NULL,
  email text NOT NULL,
  issuer text,
  subject text,
  linked_at timestamptz,
  CONSTRAINT operator_identities_pkey PRIMARY KEY (operator_id),
  CONSTRAINT operator_identities_one_per_email UNIQUE (email),
  CONSTRAINT operator_identities_one_per_account UNIQUE (issuer, subject),
  CONSTRAINT operator_identities_whole_link CHECK (num_nulls(issuer, subject, linked_at) IN (0, 3)),
  CONSTRAINT operator_identities_of_operator FOREIGN KEY (operator_id) REFERENCES operators (operator_id)
);
