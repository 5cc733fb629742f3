-- Whether responses of language models that the key asks for may be kept. Null: as the request says.
alter table api_key add column stores_responses boolean;
