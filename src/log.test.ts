import { expect, test } from 'vitest'
import { forPeople } from './log.ts'

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
