// Lists that come in pages: the answer names what to send for the next page.

/**
 * A page is asked for by one of these fields. The answer has the next value in `next_cursor`, `next_page` and so on.
 */
const pageFields = ['cursor', 'page_token', 'offset', 'page'] as const
type PageField = (typeof pageFields)[number]

/** Whether an action takes a page field whose next value its answer names. */
export type IsPaged<Action extends { readonly input: object; readonly output: unknown }> = {
  [Field in PageField]: Field extends keyof Action['input']
    ? `next_${Field}` extends keyof Action['output']
      ? true
      : never
    : never
}[PageField]

/** Asks for page after page, each when it is wanted. Ends after the page that names no next one. */
export async function* readPages<Page extends { readonly data: unknown }>(
  input: object,
  read: (input: object) => Promise<Page>,
): AsyncGenerator<Page, void> {
  for (let asked = input; ; ) {
    const answer = await read(asked)
    yield answer
    const next = nextOf(answer.data as object)
    // A page that names itself would be read, and paid, for ever.
    if (next === undefined || (asked as Record<string, unknown>)[next.field] === next.value) return
    asked = { ...input, [next.field]: next.value }
  }
}

function nextOf(data: object): { field: PageField; value: unknown } | undefined {
  const answer = data as Readonly<Record<string, unknown>>
  for (const field of pageFields) {
    const value = answer[`next_${field}`]
    if (value !== undefined && value !== null) return { field, value }
  }
  return undefined
}
