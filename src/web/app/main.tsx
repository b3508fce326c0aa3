/** Where the browser side begins. */
// The styles first: they say the order of the layers.
import './styles/index.css'
import { render } from 'preact'
import { App } from './app.js'
import { prefixLinks } from './lib/base-path.js'

prefixLinks()

const root = document.getElementById('app')
if (root) render(<App />, root)
