import { useAddressedText } from '../addressed.ts'
import { isOwnFile, onThisOrigin } from '../gateway.ts'
import { Choices } from '../parts/choices.tsx'
import { visible, visibleJson } from '../parts/foreign.tsx'
import { Scroll } from '../parts/scroll.tsx'
import { Table } from '../parts/table.tsx'
import { Markdown, OutsideLink } from './markdown.tsx'
import { type View, viewsOf } from './view.ts'

/** An answer as its parts, or as JSON. */
export function Result({ data }: { data: unknown }) {
  const views = viewsOf(data)
  const [form, choose] = useAddressedText('answer', 'Shown')
  const showsJson = form === 'JSON' || views.length === 0
  return (
    <div class="stack">
      {views.length > 0 && (
        <Choices
          label="How the answer is shown"
          names={['Shown', 'JSON']}
          chosen={showsJson ? 'JSON' : 'Shown'}
          choose={choose}
        />
      )}
      {showsJson ? (
        <Json value={data} />
      ) : (
        views.map((view, index) => <ViewOf key={index} view={view} />)
      )}
    </div>
  )
}

const jsonCharactersMax = 500_000

function Json({ value }: { value: unknown }) {
  const text = visibleJson(value)
  return (
    <Scroll label="JSON">
      {text.slice(0, jsonCharactersMax)}
      {text.length > jsonCharactersMax && '\n… The rest is too long to show.'}
    </Scroll>
  )
}

function ViewOf({ view }: { view: View }) {
  if (view.kind === 'table')
    return (
      <Table
        caption={view.name}
        rows={view.rows}
        columns={view.columns.map((name) => ({
          name,
          show: (row: Readonly<Record<string, unknown>>) => <Cell value={row[name]} />,
        }))}
      />
    )
  if (view.kind === 'markdown') return <Markdown text={view.text} />
  return <Media kind={view.kind} address={view.address} />
}

/** Files of this gateway are shown. What lies elsewhere is linked, so that no other site learns who looks at it. */
function Media({ kind, address }: { kind: 'image' | 'audio' | 'video' | 'link'; address: string }) {
  const own = onThisOrigin(address)
  const link = (
    <p>
      <OutsideLink address={URL.parse(own, location.origin)?.href ?? address}>
        Open {kind === 'link' ? address : `the ${kind}`}
      </OutsideLink>
    </p>
  )
  if (kind === 'link' || !isOwnFile(address)) return link
  return (
    <>
      {kind === 'image' && <img src={own} alt="The answer" />}
      {/* biome-ignore lint/a11y/useMediaCaption: answers have no captions. */}
      {kind === 'audio' && <audio controls src={own} />}
      {/* biome-ignore lint/a11y/useMediaCaption: answers have no captions. */}
      {kind === 'video' && <video controls src={own} />}
      {link}
    </>
  )
}

const cellCharactersMax = 160

function Cell({ value }: { value: unknown }) {
  if (value === null || value === undefined) return null
  const text = visible(typeof value === 'string' ? value : JSON.stringify(value))
  if (/^https?:\/\/\S+$/.test(text) && text.length <= cellCharactersMax)
    return <OutsideLink address={text}>{text}</OutsideLink>
  if (text.length <= cellCharactersMax) return <>{text}</>
  return (
    <details>
      <summary>{text.slice(0, cellCharactersMax)} …</summary>
      {text}
    </details>
  )
}
