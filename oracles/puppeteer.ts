export { connect } from 'puppeteer-core'
