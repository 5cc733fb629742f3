// Where Debian installs PgBouncer.
import { access } from 'node:fs/promises'

const program = '/usr/sbin/pgbouncer'

export const findPgBouncer = (): Promise<string | undefined> =>
  access(program).then(
    () => program,
    () => undefined,
  )
