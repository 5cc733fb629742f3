// Markdown as elements. The text comes from strangers: HTML in it stays text, pictures are links, and only web
// addresses are linked.
import { Lexer, type Token, type Tokens } from 'marked'
import type { ComponentChildren } from 'preact'

const charactersMax = 200_000

export function Markdown({ text }: { text: string }) {
  const cut = text.slice(0, charactersMax)
  return (
    <div class="prose">
      <Blocks tokens={new Lexer({ gfm: true }).lex(cut)} />
      {text.length > charactersMax && <p class="quiet">The rest is shown as JSON only.</p>}
    </div>
  )
}

const Blocks = ({ tokens }: { tokens: readonly Token[] }) => (
  <>
    {tokens.map((token, index) => (
      <Block key={index} token={token} />
    ))}
  </>
)

function Block({ token }: { token: Token }): ComponentChildren {
  switch (token.type) {
    case 'space':
    case 'def':
      return null
    case 'heading':
      // Headings of an answer stand below those of the page.
      return token.depth <= 2 ? <h3>{inline(token)}</h3> : <h4>{inline(token)}</h4>
    case 'paragraph':
      return <p>{inline(token)}</p>
    case 'code':
      return (
        <pre>
          <code>{token.text}</code>
        </pre>
      )
    case 'blockquote':
      return (
        <blockquote>
          <Blocks tokens={token.tokens ?? []} />
        </blockquote>
      )
    case 'list':
      return <List list={token as Tokens.List} />
    case 'table':
      return <MarkdownTable table={token as Tokens.Table} />
    case 'hr':
      return <hr />
    default:
      return <p>{inline(token)}</p>
  }
}

function List({ list }: { list: Tokens.List }) {
  const items = list.items.map((item, index) => (
    <li key={index}>
      {item.tokens.map((token, place) =>
        token.type === 'text' ? (
          <span key={place}>{inline(token)}</span>
        ) : (
          <Block key={place} token={token} />
        ),
      )}
    </li>
  ))
  return list.ordered ? <ol start={Number(list.start) || 1}>{items}</ol> : <ul>{items}</ul>
}

function MarkdownTable({ table }: { table: Tokens.Table }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section class="table" tabIndex={0} aria-label="Table in the answer">
      <table>
        <thead>
          <tr>
            {table.header.map((cell, index) => (
              <th scope="col" key={index}>
                {inline(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, place) => (
                <td key={place}>{inline(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** The content of a token without blocks. */
function inline(token: Token | Tokens.TableCell): ComponentChildren {
  if (!('tokens' in token) || token.tokens === undefined)
    return decode('text' in token ? token.text : '')
  return token.tokens.map((each, index) => <Inline key={index} token={each} />)
}

function Inline({ token }: { token: Token }): ComponentChildren {
  switch (token.type) {
    case 'strong':
      return <strong>{inline(token)}</strong>
    case 'em':
      return <em>{inline(token)}</em>
    case 'del':
      return <del>{inline(token)}</del>
    case 'codespan':
      return <code>{decode(token.text)}</code>
    case 'br':
      return <br />
    case 'link':
      return <OutsideLink address={token.href}>{inline(token)}</OutsideLink>
    case 'image':
      return <OutsideLink address={token.href}>{token.text || 'A picture'}</OutsideLink>
    default:
      return inline(token)
  }
}

/** A link to another site, which learns nothing of this one. Anything but a web address stays text. */
export function OutsideLink({
  address,
  children,
}: {
  address: string
  children: ComponentChildren
}) {
  const protocol = URL.parse(address)?.protocol ?? ''
  if (!['https:', 'http:', 'mailto:'].includes(protocol)) return <span>{children}</span>
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  )
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': '\u00a0',
}

/** The result is text, never HTML. */
const decode = (text: string) =>
  text.replaceAll(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (entity) => entities[entity] ?? entity)
