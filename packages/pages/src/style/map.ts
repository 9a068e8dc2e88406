/** What a map shows besides its clinics. */
export const MAP = `
.map .abroad{fill:var(--land);stroke:var(--land);stroke-width:5}
.map .lake{fill:var(--water);stroke:none}
.map .road{stroke:var(--track);stroke-width:8}
.map .lane{stroke:var(--surface);stroke-width:5}
.map .shield{fill:var(--surface);stroke:var(--control);stroke-width:1.5}
.map .route{font-size:19px;font-weight:700;stroke:none}
.map .water{fill:var(--info);font-style:italic;stroke:var(--water)}
`
