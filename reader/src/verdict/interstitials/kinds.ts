// The kinds of interstitials: pages that stand where another page was asked for. Each kind says certain things together, to
// the reader, and little else.
import type { Meaning } from './vocabulary.ts'

export interface InterstitialKind {
  readonly name: string
  /** The visitor is kept out: `blocked`, where the others are `thin_content`. */
  readonly isWall?: true
  /** Occurs inside of a site, with its header and navigation. The others stand alone. */
  readonly isInSite?: true
  /** One of these is said, */
  readonly leads: readonly Meaning[]
  /** together with one of these, */
  readonly partners: readonly Meaning[]
  /** and these may be said besides. */
  readonly company: readonly Meaning[]
}

export const interstitialKinds: readonly InterstitialKind[] = [
  {
    name: 'human verification',
    isWall: true,
    leads: ['verification'],
    partners: ['robot', 'human', 'browser', 'suspicion', 'protection', 'wait', 'request'],
    company: ['page', 'incident', 'elsewhere', 'apology', 'contact', 'refusal'],
  },
  {
    name: 'human verification',
    isWall: true,
    leads: ['robot'],
    partners: ['human', 'suspicion', 'request'],
    company: [
      'verification',
      'browser',
      'page',
      'incident',
      'elsewhere',
      'apology',
      'contact',
      'refusal',
    ],
  },
  {
    name: 'refusal',
    isWall: true,
    leads: ['refusal', 'suspicion'],
    partners: [
      'request',
      'protection',
      'page',
      'incident',
      'contact',
      'apology',
      'browser',
      'wait',
      'elsewhere',
    ],
    company: ['suspicion', 'refusal', 'hosting', 'failure', 'robot'],
  },
  {
    name: 'queue',
    isWall: true,
    leads: ['queue'],
    partners: ['queue', 'wait', 'request', 'page', 'elsewhere', 'apology'],
    company: ['suspicion', 'incident', 'maintenance'],
  },
  {
    name: 'not found',
    isInSite: true,
    leads: ['missing', 'apology'],
    partners: ['missing', 'page', 'elsewhere', 'failure'],
    company: [],
  },
  {
    name: 'failure',
    isInSite: true,
    leads: ['failure'],
    partners: [
      'failure',
      'apology',
      'wait',
      'elsewhere',
      'hosting',
      'contact',
      'incident',
      'page',
      'request',
      'browser',
    ],
    company: ['maintenance'],
  },
  {
    name: 'maintenance',
    isInSite: true,
    leads: ['maintenance'],
    partners: ['maintenance', 'page', 'apology', 'wait', 'elsewhere', 'hosting'],
    company: ['login', 'contact'],
  },
  {
    name: 'members only',
    isInSite: true,
    leads: ['login'],
    partners: ['login', 'page', 'locked'],
    company: ['verification', 'missing', 'consent', 'elsewhere'],
  },
  {
    name: 'consent dialog',
    leads: ['consent'],
    partners: ['consent'],
    company: ['page', 'subscription', 'browser', 'eligibility', 'verification'],
  },
  {
    name: 'subscribers only',
    leads: ['subscription'],
    partners: ['subscription', 'login', 'page', 'locked'],
    company: ['consent', 'suspicion'],
  },
  {
    name: 'restricted by age or place',
    leads: ['eligibility'],
    partners: ['eligibility', 'page', 'missing', 'request', 'verification', 'refusal', 'apology'],
    company: ['consent'],
  },
  {
    name: 'host without a site',
    leads: ['hosting'],
    partners: ['hosting', 'page', 'maintenance', 'contact', 'login'],
    company: ['request', 'missing'],
  },
  {
    name: 'browser requirement',
    leads: ['browser'],
    partners: ['page', 'maintenance', 'apology', 'you'],
    company: ['wait', 'elsewhere'],
  },
]
