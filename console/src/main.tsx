import { render } from 'preact'
import { keepFocus } from './keep-focus.ts'
import { useLoad } from './load.ts'
import { Shown } from './parts/notices.tsx'
import { followLinks } from './router.ts'
import { readPerson } from './session.ts'
import { Shell } from './shell.tsx'
import './style/tokens.css'
import './style/base.css'
import './style/parts.css'
import './style/tables.css'

/** Shows no page until it is known who is signed in, so that no wrong one is seen. */
function Console() {
  const person = useLoad('person', readPerson)
  if (person.value !== undefined) return <Shell person={person.value} />
  return (
    <main class="page">
      <h1>Tollway</h1>
      <Shown of={person}>{() => null}</Shown>
      {person.error !== undefined && <a href="/sign-in">Use another account</a>}
    </main>
  )
}

const root = document.getElementById('console')
if (root !== null) {
  followLinks()
  keepFocus(root)
  render(<Console />, root)
}
