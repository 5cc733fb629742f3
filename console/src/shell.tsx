// The frame around every page: navigation, who is signed in, and whether the gateway can be reached.
import type { ComponentType } from 'preact'
import { useEffect, useErrorBoundary, useState } from 'preact/hooks'
import { askWhetherUp, type Connection, watchConnection } from './gateway.ts'
import { type PageEntry, type PageProps, pages } from './pages/pages.ts'
import type { PaletteProps } from './palette/palette.tsx'
import { Exactness } from './parts/amount.tsx'
import { Loading, Problem } from './parts/notices.tsx'
import { Page } from './parts/page.tsx'
import { OperatorRole } from './parts/role.tsx'
import { addressOf, exactName, match, showExactly, usePlace } from './router.ts'
import { type Person, type SignOut, signOut, switchAddress } from './session.ts'

export function Shell({ person }: { person: Person }) {
  const { path, query } = usePlace()
  const isExact = query.get(exactName) !== null
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    setOpen(false)
    // In a low window the menu scrolls by itself.
    document.querySelector('.side nav [aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [path])
  const shown = pages.filter(({ side }) => maySee(person, side))
  const found = findPage(shown, path)
  const palette = usePalette()
  return (
    <OperatorRole.Provider value={person.operator_role}>
      <Exactness.Provider value={isExact}>
        <a class="skip button" href="#content">
          Skip to the page
        </a>
        <ConnectionNotice />
        <div class="frame">
          <aside class="side">
            <div class="bar">
              <a class="brand" href={addressOf('/')}>
                <img src={`${import.meta.env.BASE_URL}icon.svg`} alt="" width="24" height="24" />
                Tollway
              </a>
              <button
                type="button"
                class="menu-button"
                aria-expanded={isOpen}
                aria-controls="navigation"
                onClick={() => setOpen(!isOpen)}
              >
                Menu
              </button>
            </div>
            {/* It opens by Ctrl-K, and by a button where there is no keyboard. */}
            <button type="button" class="plain finder" onClick={palette.open}>
              Go to … <kbd>Ctrl K</kbd>
            </button>
            <nav id="navigation" class={isOpen ? 'open' : ''} aria-label="Pages">
              <PageList title="Account" side="account" shown={shown} current={found?.entry.path} />
              <PageList
                title="Operator"
                side="operator"
                shown={shown}
                current={found?.entry.path}
              />
              <SignedIn person={person} isExact={isExact} />
            </nav>
          </aside>
          {found === undefined ? (
            <Page title="There is no such page">
              <p>
                <a href={addressOf('/')}>Go to the first page</a>
              </p>
            </Page>
          ) : (
            <Entered key={path} entry={found.entry} props={{ person, query, ...found }} />
          )}
        </div>
        {palette.Shown !== undefined && (
          <palette.Shown person={person} pages={shown} closed={palette.close} />
        )}
      </Exactness.Provider>
    </OperatorRole.Provider>
  )
}

/** Its code is loaded when it is first opened. */
function usePalette() {
  const [Shown, setShown] = useState<ComponentType<PaletteProps>>()
  const open = () =>
    void import('./palette/palette.tsx').then(
      ({ Palette }) => setShown(() => Palette),
      // Without its code the navigation is left, and another press tries again.
      () => {},
    )
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      if (event.shiftKey || event.altKey) return
      event.preventDefault()
      open()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  return { Shown, open, close: () => setShown(undefined) }
}

const maySee = (person: Person, side: PageEntry['side']) =>
  side === 'account' ? person.account_id !== null : person.operator

function findPage(shown: readonly PageEntry[], path: string) {
  // An operator without an account begins with the first page of operators.
  const [first] = shown
  if (path === '/' && first !== undefined) return { entry: first, parameters: {} }
  for (const entry of shown) {
    const parameters = match(entry.path, path)
    if (parameters !== undefined) return { entry, parameters }
  }
  return undefined
}

function PageList({
  title,
  side,
  shown,
  current,
}: {
  title: string
  side: PageEntry['side']
  shown: readonly PageEntry[]
  /** The path of the page that is shown. */
  current: string | undefined
}) {
  const listed = shown.filter((entry) => entry.side === side && entry.label !== undefined)
  if (listed.length === 0) return null
  const isCurrent = (entry: PageEntry) =>
    entry.path === current || current?.startsWith(`${entry.path}/:`)
  return (
    <>
      <h2>{title}</h2>
      <ul>
        {listed.map((entry) => (
          <li key={entry.path}>
            <a href={addressOf(entry.path)} aria-current={isCurrent(entry) ? 'page' : undefined}>
              {entry.label}
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}

function SignedIn({ person, isExact }: { person: Person; isExact: boolean }) {
  const [error, setError] = useState<unknown>()
  const { other_accounts: others } = person
  const leave = (from: SignOut, label: string) => (
    <li>
      <button type="button" class="plain" onClick={() => signOut(from).catch(setError)}>
        {label}
      </button>
    </li>
  )
  return (
    <section aria-label="Signed in">
      <h2>{person.account_name ?? (person.operator ? 'Operator' : 'Signed in')}</h2>
      {person.operator_role && <p class="quiet">Operates as {person.operator_role}</p>}
      <ul>
        <li>
          <a href="/docs">Documents</a>
        </li>
        <li>
          <button
            type="button"
            class="plain"
            aria-pressed={isExact}
            onClick={() => showExactly(!isExact)}
          >
            Exact amounts
          </button>
        </li>
        <li>
          <a href={switchAddress}>
            {others === 0 ? 'Add another account' : `Switch account (${others} more)`}
          </a>
        </li>
        {leave('here', 'Sign out')}
        {leave('everywhere', 'Sign out everywhere')}
        {others > 0 && leave('all_accounts', 'Sign out of all accounts')}
      </ul>
      <Problem error={error} />
    </section>
  )
}

function ConnectionNotice() {
  const [connection, setConnection] = useState<Connection>('up')
  useEffect(() => watchConnection(setConnection), [])
  const isUp = connection === 'up'
  return (
    <div role="status" class={isUp ? 'unseen' : 'notice warning connection'}>
      {!isUp &&
        `The gateway cannot be reached. Trying again in ${connection.nextTrySeconds} seconds …`}
    </div>
  )
}

/**
 * Loads the code of a page, then shows it. A browser remembers code that failed to load, so trying again loads all
 * anew. An answer that the page cannot show is told, too, and the navigation stays.
 */
function Entered({ entry, props }: { entry: PageEntry; props: PageProps }) {
  const [loaded, setLoaded] = useState<{ page?: ComponentType<PageProps>; error?: unknown }>({})
  useEffect(() => {
    let leave = () => {}
    entry.load().then(
      (page) => setLoaded({ page }),
      (error) => {
        setLoaded({ error })
        leave = watchConnection((now) => now === 'up' && location.reload())
        askWhetherUp()
      },
    )
    return () => leave()
  }, [entry])
  const [thrown, showAgain] = useErrorBoundary(reportError)
  const { page: Shown, error } = loaded
  if (thrown !== undefined || error !== undefined)
    return (
      <Page title={entry.label ?? 'Tollway'}>
        <Problem
          error={new Error(error ? 'Its code did not arrive.' : 'The answer has another form.')}
          retry={error ? () => location.reload() : showAgain}
        />
      </Page>
    )
  if (Shown !== undefined) return <Shown {...props} />
  return (
    <main class="page" id="content" tabIndex={-1}>
      <Loading />
    </main>
  )
}
