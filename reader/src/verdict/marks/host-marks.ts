// Marks of pages that are not walls but stand for a site that is not there.
import type { Mark } from './mark.ts'

export const hostMarks: readonly Mark[] = [
  {
    vendor: 'Sedo',
    kind: 'parked',
    pattern: /\/\/(?:[\w-]{1,20}\.)?sedoparking\.com\//,
    source: 'pages of parked domains',
  },
  {
    vendor: 'GoDaddy',
    kind: 'parked',
    pattern: /window\.LANDER_SYSTEM|wsimg\.com\/parking-lander/,
    source: 'pages of parked domains',
  },
  {
    vendor: 'ParkingCrew',
    kind: 'parked',
    pattern: /\/\/(?:[\w-]{1,20}\.)?(?:parkingcrew\.net|parklogic\.com|bodis\.com)\//,
    source: 'pages of parked domains',
  },
  {
    vendor: 'Suspended account',
    kind: 'parked',
    pattern: /\/cgi-sys\/suspendedpage\.cgi/,
    source: 'docs.cpanel.net, suspended accounts',
  },
]
