-- Rights of the operator end with the token that gave them: the proof is made of the token and of what the browser or
-- the link alone knows. Rows without one are of the version before, which could not tell; they operate nothing.
alter table sign_in add column operator_proof bytea;
alter table sign_in_link add column operator_proof bytea;
