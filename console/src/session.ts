// Who is signed in with this browser.
import { proveRequestsBy, readFilesFrom, tollway } from './gateway.ts'

export type Person = Awaited<ReturnType<typeof readPerson>>

export async function readPerson() {
  const person = await tollway.request('GET /api/v1/sign-in')
  proveRequestsBy(person.csrf_token)
  readFilesFrom(person.file_store)
  return person
}

const signInAddress = () =>
  `/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`

/** The sign-in page leads back to this one. */
export const askToSignIn = () => location.replace(signInAddress())

/** From the account here, from it in every browser, or from all accounts of this browser. */
export type SignOut = 'here' | 'everywhere' | 'all_accounts'

export async function signOut(from: SignOut) {
  await tollway.request(
    'DELETE /api/v1/sign-in',
    from === 'here' ? {} : { query: { [from]: 'true' } },
  )
  location.replace(switchAddress)
}

/** The page that lists the accounts of this browser. */
export const switchAddress = '/sign-in?next=/console'
