import { expect, test } from 'vitest'
import { citationOf, parseCitation } from './citation.ts'

test.each([
  ['26 CFR 1.401(k)-1', '26', '1', '1.401(k)-1', null],
  ['26 CFR § 1.401(a)(9)-1(b)(2)', '26', '1', '1.401(a)(9)-1', '(b)(2)'],
  ['26 CFR 1.1402(a)-2A', '26', '1', '1.1402(a)-2A', null],
  ['26 CFR 1.162-1(a)', '26', '1', '1.162-1', '(a)'],
  ['41 CFR 60-1.4', '41', '60-1', '60-1.4', null],
  ['41 CFR 301-10.100(b)', '41', '301-10', '301-10.100', '(b)'],
  ['41 CFR part 102-3', '41', '102-3', undefined, null],
  ['12CFR1026.43(e)', '12', '1026', '1026.43', '(e)'],
  ['48 CFR 252.225-7001', '48', '252', '252.225-7001', null],
])('%s is read whole', (citation, title, part, section, paragraph) => {
  expect(parseCitation(citation)).toMatchObject({ title, part, section, paragraph })
})

test.each([
  { title: '26', part: '1', section: '1.401(k)-1' },
  { title: '41', part: '60-1', section: '60-1.4' },
  { title: '12', part: '1026' },
  { title: '12', part: '1026', appendix: 'Appendix C to Part 1026' },
  { title: '40', part: '60', appendix: 'Appendix A-1 to Part 60' },
  { title: '17', part: '229', appendix: 'Supplement I to Part 1026' },
  { title: '48', appendix: 'Appendix A to Chapter 2' },
])('what the search cites can be resolved: %j', (place) => {
  expect(parseCitation(citationOf(place))).toMatchObject(place)
})
