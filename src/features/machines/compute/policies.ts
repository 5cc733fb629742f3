// How the five kinds of sessions are kept on this machine.
// Source: spec, "Stateful compute session" and "Compute".
import type { SessionPolicy, Usage } from '#core/session.ts'

export interface BoxPolicy {
  readonly policy: SessionPolicy
  /** The templates that a caller may name, the default first. */
  readonly templates: readonly string[]
  /**
   * Variables survive from one piece of code to the next. They do not survive a stop of the gateway, so the session
   * ends.
   */
  readonly keepsVariables?: true
  /** Files are saved after each command, so that they survive a gateway that is killed. */
  readonly keepsFiles?: true
  /** The variables of create_session are not set. */
  readonly ignoresEnvs?: true
  /** Absent: its processor time is charged, and its memory while it works. */
  readonly perSecond?: Usage
}

const minuteMs = 60_000
const hourMs = 3_600_000
const vcpu = { vcpu: 1 }
/** Only sessions of sess_e stay open when they are forgotten. */
const forgotten = { idle: { afterMs: hourMs, outcome: 'close' } } as const

export const boxPolicies = {
  sess_a: { policy: forgotten, templates: ['base'], perSecond: vcpu },
  sess_b: {
    policy: forgotten,
    templates: ['python', 'javascript', 'typescript'],
    keepsVariables: true,
    perSecond: vcpu,
  },
  sess_c: {
    policy: { ...forgotten, lifetimeMsMax: 5 * hourMs },
    templates: ['base'],
    perSecond: vcpu,
  },
  sess_d: {
    policy: { idle: { afterMs: 15 * minuteMs, outcome: 'suspend' } },
    templates: ['base'],
    keepsFiles: true,
    perSecond: vcpu,
  },
  sess_e: {
    policy: { idle: { afterMs: minuteMs, outcome: 'suspend', waitingMsMax: hourMs } },
    templates: ['base'],
    keepsFiles: true,
    ignoresEnvs: true,
  },
} satisfies Readonly<Record<string, BoxPolicy>>
