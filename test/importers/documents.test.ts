// Decisions and documents of proposals.
import t from 'tap'
import { imported, questionsOf } from './imported.js'

t.test('decision records', async (t) => {
  const { of, notes } = await imported(t, {
    docs: {
      adr: {
        '0001-record.md': '# 1. Record decisions\n\nDate: 12/02/2026\n\n## Status\n\nAccepted\n\n## Context\n',
        '0016-a.md': '---\nstatus: "proposed"\ndate: 2026-01-02\n---\n# Use A\n',
        '0016-b.md': '# ADR-0016: Use B\n\n* Status: superseded by [0017](0017-c.md)\n',
        '20260101-c.md': '# Use C\n\n- Status: accepted\n- Date: 2026-01-01\n',
        'no-status.md': '# Nothing said\n',
        'README.md': '# Decisions\n',
        'template.md': '# [short title]\n'
      }
    }
  })
  const { decisions, exploration } = of('docs/adr')
  t.equal(exploration.title, 'Decisions')
  t.strictSame(decisions.map(({ record: { title, status, approved_at: at } }) => [title, status, at]), [
    ['Record decisions', 'approved', '2026-02-12T00:00:00.000Z'],
    ['Use A', 'proposed', null],
    ['Use B', 'rejected', null],
    ['Use C', 'approved', '2026-01-01T00:00:00.000Z'],
    ['Nothing said', 'proposed', null]
  ])
  t.equal(new Set(decisions.map(({ record }) => record.id)).size, 5, 'the path is the identity, not the number')
  t.equal(notes.length, 2)
})

t.test('documents of proposals', async (t) => {
  const { all, of } = await imported(t, {
    text: {
      '0001-new-thing.md': '- Start Date: 2026-02-03\n\n# Summary\n\nShort.\n\n# Unresolved questions\n\n## How fast?\n\nMaybe.\n\n## How **big**?\n'
    },
    rfcs: {
      '0002-named.md': '---\ntitle: A name\nstatus: rejected\n---\n# Summary\n\n# Unresolved questions\n\nNone.\n',
      '0000-template.md': '# Summary\n'
    },
    keps: {
      '12-start': {
        'kep.yaml': 'title: Start\nkep-number: 12\nstatus: implementable\nstage: alpha\ncreation-date: 2026-03-04\n',
        'README.md': '# KEP-12: Start\n'
      }
    },
    peps: { 'pep-0008.rst': 'PEP: 8\nTitle: Style\nStatus: Active\nCreated: 05-Jul-2001\n\nText with ``` in it\n' },
    draft: {
      '0007-policy.rst': '=============\nDEP 7: Policy\n=============\n\n:DEP: 7\n:Status: Draft\n:Created: 2026-06-06\n'
    }
  })
  t.strictSame(all.map(({ path, exploration: { title, status } }) => `${path}: ${title}, ${status}`).sort(), [
    'draft/0007-policy.rst: Policy, exploring', 'keps/12-start: Start, ready', 'peps/pep-0008.rst: Style, delivered',
    'rfcs/0002-named.md: A name, archived', 'text/0001-new-thing.md: new thing, ready'
  ])
  t.strictSame(['text/0001-new-thing.md', 'keps/12-start', 'peps/pep-0008.rst'].map((path) => of(path).exploration.created_at.slice(0, 10)), [
    '2026-02-03', '2026-03-04', '2001-07-05'
  ])
  t.strictSame(['text/0001-new-thing.md', 'rfcs/0002-named.md'].map((path) => questionsOf(of(path))), [[['How fast?', null], ['How big?', null]], []])
  t.strictSame(of('keps/12-start').exploration.tags, ['kep', 'KEP-12', 'alpha'])
  t.match(of('peps/pep-0008.rst').packages[0]?.markdown, /^````rst\n/)
})
