// The settings of what callers’ URLs may reach.
import { commaList } from '#core/settings.ts'

export const egressSettings = {
  EGRESS_ALLOW: commaList
    .prefault('')
    .describe(
      'Private hosts, host:port pairs, addresses or CIDR ranges that callers’ URLs may reach, including those of this machine.',
    ),
} as const
