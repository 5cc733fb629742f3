/** The first of all documents: where to go for what. */
export const startText = `# Documents

Tollway sells actions: web search, page reading, leads, public records, language models and more. One call is one
\`POST\`, paid from one balance. A failed call is never charged.

## I want to call it

- [Connect](/docs/connect) a client: Claude, Cursor, VS Code, Codex, ChatGPT, LangChain, AI SDK, curl.
- [Calling a gateway](/docs/use): the first call, prices, limits, jobs and errors.
- [All actions](/docs/actions), with their prices.
- [Account, keys and transactions](/docs/use/accounts): who may spend how much, and what was spent.
- [The command](/docs/use/command) for a shell, and [clients](/docs/use/clients) for TypeScript and Python.

## I want to run one

- [Operating a gateway](/docs/operate): start it, open it to others, add the keys of providers.
- [Sell your API](/docs/operate/selling), and [prices of your own](/docs/operate/prices).
- [Take payments from wallets](/docs/operate/payments).
- [Back up](/docs/operate/backup), [upgrade](/docs/operate/upgrade), and [when something is wrong](/docs/operate/trouble).

## I want to look something up

- [Errors](/docs/reference/errors): every code, and what to do next.
- [Settings](/docs/reference/config): every variable of the environment.
- [API](/docs/api): every other address, and [OpenAPI](/openapi.json) for programs.
- [Extending a gateway](/docs/extend): actions and providers of your own.
`
