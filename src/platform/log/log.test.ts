import { expect, test } from 'vitest'
import { forPeople, withoutSecrets } from './log.ts'

test('on a terminal a line is for people: time, severity, message, then details', () => {
  const line = JSON.stringify({ level: 40, time: 0, port: 4020, msg: 'The port is odd.' })
  expect(forPeople(line)).toMatch(/^\d\d:\d\d:\d\d WARN {2}The port is odd\. port=4020\n$/)
  const broken = JSON.stringify({
    level: 50,
    time: 0,
    err: { stack: 'Error: no\n    at x' },
    msg: 'It broke.',
  })
  expect(forPeople(broken)).toMatch(/ ERROR It broke\.\n {9}Error: no\n {13}at x\n$/)
})

test('no address in a line has credentials, a query or a fragment', () => {
  const line = JSON.stringify({
    url: 'https://pages.example/a/b?token=secret#secret',
    err: {
      message: 'net::ERR_FAILED at https://user:secret@pages.example:8443/c?signature=secret',
      stack: 'Error: "wss://pages.example/d?secret"\n    at file:///app/x.js:1:2',
    },
    database: 'postgresql://tollway:secret@db.example/tollway',
    msg: 'Is it read? See https://pages.example/e.',
  })
  const shown = withoutSecrets(line)
  expect(shown).not.toContain('secret')
  expect(JSON.parse(shown)).toEqual({
    url: 'https://pages.example/a/b?…',
    err: {
      message: 'net::ERR_FAILED at https://…@pages.example:8443/c?…',
      stack: 'Error: "wss://pages.example/d?…"\n    at file:///app/x.js:1:2',
    },
    database: 'postgresql://…@db.example/tollway',
    msg: 'Is it read? See https://pages.example/e.',
  })
})
