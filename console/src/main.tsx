import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Problem } from './parts/notices.tsx'
import { followLinks } from './router.ts'
import { askToSignIn, findPerson, type Person } from './session.ts'
import { Shell } from './shell.tsx'
import './style/tokens.css'
import './style/base.css'
import './style/parts.css'
import './style/tables.css'

/** Shows nothing until it is known who is signed in, so that no wrong page is seen. */
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
  return error === undefined ? null : (
    <main class="page">
      <h1>Tollway</h1>
      <Problem error={error} retry={begin} />
    </main>
  )
}

const root = document.getElementById('console')
if (root !== null) {
  followLinks()
  render(<Console />, root)
}
