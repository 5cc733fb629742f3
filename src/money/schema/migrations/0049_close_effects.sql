-- Whether it is closed with its call, also when that is charged: a plan leaves nothing open. Its room closes it by close_<kind>.
alter table effect add column closes boolean not null default false;
