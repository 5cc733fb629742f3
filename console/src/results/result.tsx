import { useState } from 'preact/hooks'
import { useAddressedText } from '../addressed.ts'
import { isOwnFile, onThisOrigin } from '../gateway.ts'
import { Choices } from '../parts/choices.tsx'
import { Foreign, shortened, visible, visibleJson } from '../parts/foreign.tsx'
import { Pair } from '../parts/pair.tsx'
import { Scroll } from '../parts/scroll.tsx'
import { Table } from '../parts/table.tsx'
import { Markdown, OutsideLink } from './markdown.tsx'
import { isAddress, type View, viewsOf } from './view.ts'

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
      {showsJson ? <Json value={data} /> : <Views of={views} />}
    </div>
  )
}

const Views = ({ of: views, isNested = false }: { of: readonly View[]; isNested?: boolean }) => (
  <>
    {views.map((view, index) => (
      <ViewOf key={index} view={view} isAlone={views.length === 1} isNested={isNested} />
    ))}
  </>
)

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

/** A part of an answer under its name. Within an item, lists and JSON are opened by the person. */
function ViewOf({ view, isAlone, isNested }: { view: View; isAlone: boolean; isNested: boolean }) {
  const { kind, name } = view
  const shown = <Part view={view} />
  if (kind === 'json' || (isNested && (kind === 'table' || kind === 'items')))
    return (
      <details>
        <summary>{visible(name)}</summary>
        {shown}
      </details>
    )
  if (name === '' || isAlone || 'address' in view) return shown
  return (
    <div class="part">
      <div class="quiet">{visible(name)}</div>
      {shown}
    </div>
  )
}

function Part({ view }: { view: View }) {
  switch (view.kind) {
    case 'table':
      return <TableOf {...view} />
    case 'items':
      return <Items {...view} />
    case 'fields':
      return (
        <dl class="pairs">
          {view.fields.map(([name, value]) => (
            <Pair key={name} name={visible(name)}>
              <Cell value={value} />
            </Pair>
          ))}
        </dl>
      )
    case 'markdown':
    case 'text':
      return <Text {...view} />
    case 'json':
      return <Json value={view.value} />
    default:
      return <Media kind={view.kind} address={view.address} />
  }
}

const TableOf = ({ name, rows, columns, leftOut }: View & { kind: 'table' }) => (
  <>
    <Table
      caption={name}
      rows={rows}
      columns={columns.map((column) => ({
        name: column,
        show: (row: Readonly<Record<string, unknown>>) => <Cell value={row[column]} />,
      }))}
    />
    {leftOut.length > 0 && <p class="quiet">Only in JSON: {visible(leftOut.join(', '))}.</p>}
  </>
)

const itemsMax = 20

function Items({ items }: View & { kind: 'items' }) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? items : items.slice(0, itemsMax)
  return (
    <>
      {shown.map(({ title, views }, index) => (
        <article key={index} class="card">
          <h4>
            <Foreign text={title} />
          </h4>
          <Views of={views} isNested />
        </article>
      ))}
      {items.length > itemsMax && !isWhole && (
        <button type="button" onClick={() => setWhole(true)}>
          Show all {items.length.toLocaleString()}
        </button>
      )}
    </>
  )
}

const textCharactersMax = 1_200

/** The beginning of a long text, and the rest when it is asked for. */
function Text({ kind, name, text }: View & { kind: 'markdown' | 'text' }) {
  const [isWhole, setWhole] = useState(false)
  const isCut = text.length > textCharactersMax
  const shown = isCut && !isWhole ? `${text.slice(0, textCharactersMax)} …` : text
  return (
    <>
      {kind === 'markdown' ? (
        <Markdown text={shown} />
      ) : (
        <div class="prose wraps">
          <Foreign text={shown} />
        </div>
      )}
      {isCut && (
        <div>
          <button
            type="button"
            aria-expanded={isWhole}
            aria-label={`${isWhole ? 'Show less of' : 'Show all of'} ${visible(name)}`}
            onClick={() => setWhole(!isWhole)}
          >
            {isWhole ? 'Show less' : `Show all (${text.length.toLocaleString()} characters)`}
          </button>
        </div>
      )}
    </>
  )
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
  if (isAddress(text)) return <OutsideLink address={text}>{shortened(text)}</OutsideLink>
  if (text.length <= 1.5 * cellCharactersMax) return <>{text}</>
  return (
    <details>
      <summary>{text.slice(0, cellCharactersMax)} …</summary>
      {text}
    </details>
  )
}
