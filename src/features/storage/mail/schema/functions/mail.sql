-- An inbox goes with its call, because it was not paid for, and with it the mail that has come meanwhile.
create function undo_inbox(e effect) returns void language plpgsql as $$
declare
  i inbox;
begin
  -- The account first, as messages do that come in.
  perform 1 from mail_usage where account_id = (select account_id from inbox where address = e.subject) for update;
  delete from mail_message where inbox = e.subject;
  delete from inbox where address = e.subject returning * into i;
  if not found then return; end if;
  update mail_usage set inboxes = inboxes - 1, bytes = bytes - i.bytes where account_id = i.account_id;
end $$;
