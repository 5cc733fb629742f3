import { expect, test } from 'vitest'
import { seePage } from './see-page.ts'
import { surveyPage } from './survey.ts'

const textOf = (html: string) => surveyPage(seePage(html)).text

test.each([
  '<svg viewBox="0 0 8 8"/>',
  '<svg viewBox="0 0 8 8"><path d="M0 0h8"/><text>eight</text>',
  '<svg><svg/><text>eight</text></svg>',
  '<svg><foreignObject><p>eight</p></foreignObject></svg>',
  '<video src="mill.mp4" />',
  '<select><option>eight<select><option>nine</select></select>',
])('what follows %s is read, and what it holds is not', (element) => {
  expect(textOf(`<p>Flour</p>${element}<p>Bread</p>`)).toBe('Flour\nBread')
})
