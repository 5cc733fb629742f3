// The kinds of interstitials: pages that replace the page that was asked for. Each kind says certain things together,
// to the reader, and little else.
import type { VerdictKind } from '../verdict-kind.ts'
import type { Meaning } from './vocabulary.ts'

export interface InterstitialKind {
  readonly name: VerdictKind
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
    name: 'captcha',
    isWall: true,
    leads: ['verification'],
    partners: ['robot', 'human', 'browser', 'suspicion', 'protection', 'wait', 'request'],
    company: ['page', 'incident', 'elsewhere', 'apology', 'contact', 'refusal'],
  },
  {
    name: 'captcha',
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
    name: 'bot_wall',
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
    name: 'not_found',
    isInSite: true,
    leads: ['missing', 'apology'],
    partners: ['missing', 'page', 'elsewhere', 'failure'],
    company: [],
  },
  {
    name: 'error',
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
    name: 'login',
    isInSite: true,
    leads: ['login'],
    partners: ['login', 'page', 'locked'],
    company: ['verification', 'missing', 'consent', 'elsewhere'],
  },
  {
    name: 'consent',
    leads: ['consent'],
    partners: ['consent'],
    company: ['page', 'subscription', 'browser', 'eligibility', 'verification'],
  },
  {
    name: 'paywall',
    leads: ['subscription'],
    partners: ['subscription', 'login', 'page', 'locked'],
    company: ['suspicion'],
  },
  {
    name: 'restricted',
    leads: ['eligibility'],
    partners: ['eligibility', 'page', 'missing', 'request', 'verification', 'refusal', 'apology'],
    company: ['consent'],
  },
  {
    name: 'parked',
    leads: ['hosting'],
    partners: ['hosting', 'page', 'maintenance', 'contact', 'login'],
    company: ['request', 'missing'],
  },
  {
    name: 'javascript_required',
    leads: ['browser'],
    partners: ['page', 'maintenance', 'apology', 'you'],
    company: ['wait', 'elsewhere'],
  },
]
