-- Since when the files of an open session could not be saved. Null: their last copy has succeeded, or it keeps none.
alter table session add column unsaved_since timestamptz;
