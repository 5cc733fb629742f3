import type { ClientBase } from 'pg'
import type { Database } from '#platform/database/database.ts'

/**
 * Does the real work in a transaction that is rolled back, so the answer cannot differ from that of the work itself.
 */
export async function rehearse<Answer extends object>(
  database: Database,
  work: (client: ClientBase) => Promise<Answer>,
): Promise<Answer> {
  let answer: Answer | undefined
  const undo = new Error('rehearsed')
  await database
    .transaction(async (client) => {
      answer = await work(client)
      throw undo
    })
    .catch((error) => {
      if (error !== undo) throw error
    })
  if (answer === undefined) throw new Error('A rehearsal had no answer.')
  return answer
}
