import { expect, test } from 'vitest'
import { fileNameOf, plainFileName } from './file-name.ts'

test.each([
  ['attachment; filename="report 1.pdf"', 'report 1.pdf'],
  ['attachment; filename=report.pdf; size=3', 'report.pdf'],
  [`attachment; filename="n.pdf"; filename*=UTF-8''%C3%9Cbersicht%201.pdf`, 'Übersicht 1.pdf'],
  [String.raw`attachment; filename="a \"b\".txt"`, 'a "b".txt'],
  ['attachment; filename="../../etc/passwd"', 'passwd'],
  ["attachment; filename*=UTF-8''..%5C..%5Cboot.ini", 'boot.ini'],
  [`attachment; filename*=UTF-8''%E0%A4%A; filename="kept.txt"`, 'kept.txt'],
  ['attachment; filename=".."', undefined],
  ['attachment', undefined],
  [undefined, undefined],
])('the header %s names %s', (header, name) => {
  expect(fileNameOf(header)).toBe(name)
})

test.each([
  ['report 1.pdf', 'report 1.pdf'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\scans\\cat.png', 'cat.png'],
  ['invoice_\u202Egnp.exe\r\n', 'invoice_gnp.exe'],
  ['..', undefined],
  ['', undefined],
])('the file %j is sent on as %j', (name, plain) => {
  expect(plainFileName(name)).toBe(plain)
})
