/** Where the browser side begins. */
import { render } from 'preact'
import { App } from './app.js'
import './styles/index.css'

const root = document.getElementById('app')
if (root) render(<App />, root)
