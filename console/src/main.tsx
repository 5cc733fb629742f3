import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { keepFocus } from './keep-focus.ts'
import { Loading, Problem } from './parts/notices.tsx'
import { followLinks } from './router.ts'
import { askToSignIn, findPerson, type Person } from './session.ts'
import { Shell } from './shell.tsx'
import './style/tokens.css'
import './style/base.css'
import './style/parts.css'
import './style/tables.css'

/** Shows no page until it is known who is signed in, so that no wrong one is seen. */
function Console() {
  const [person, setPerson] = useState<Person>()
  const [error, setError] = useState<unknown>()
  const begin = () => {
    setError(undefined)
    findPerson().then((found) => {
      if (found === undefined) askToSignIn()
      else setPerson(found)
    }, setError)
  }
  useEffect(begin, [])
  if (person !== undefined) return <Shell person={person} />
  return (
    <main class="page">
      <h1>Tollway</h1>
      {error === undefined ? (
        <Loading />
      ) : (
        <>
          <Problem error={error} retry={begin} />
          <a href="/sign-in">Use another account</a>
        </>
      )}
    </main>
  )
}

const root = document.getElementById('console')
if (root !== null) {
  followLinks()
  keepFocus(root)
  render(<Console />, root)
}
