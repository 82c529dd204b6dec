// The script of the court files page. It behaves like the tables and dialogs of such pages do, bad habits included:
// old rows stay until the new ones come, an empty table flashes up in between, rows are drawn twice, a dialog opens
// with what it showed last.
(function () {
  'use strict';

  const LANG = document.body.dataset.lang;
  const LATE = Number(document.body.dataset.late);
  const TEXT = JSON.parse(document.getElementById('texts').textContent);
  const BACKEND = '/CourtFilesAndDecisions/';
  const byId = (id) => document.getElementById(id);
  const told = (row, name) => row[(LANG === 'fr' ? 'FRENCH_' : 'ENGLISH_') + name] || '';

  // ---- little things -------------------------------------------------------------------------------------

  function element(name, attributes, ...children) {
    const made = document.createElement(name);
    Object.entries(attributes || {}).forEach(([key, value]) => made.setAttribute(key, value));
    made.append(...children);
    return made;
  }

  function later(work, times) {
    window.setTimeout(work, LATE * (times || 1));
  }

  async function ask(endpoint, parameters) {
    const answer = await fetch(BACKEND + endpoint + '?' + new URLSearchParams(parameters));
    return (await answer.json()).data;
  }

  function day(text) {
    const found = /\/Date\((-?\d+)\)\//.exec(text || '');
    return found ? new Date(Number(found[1])).toISOString().slice(0, 10) : (text || '').slice(0, 10);
  }

  // Every so many files the server seems to think for long; what it thinks about, nobody knows.
  const isSlow = (number) => Number(number.split('-')[1]) % 33 === 0;

  // ---- tabs ----------------------------------------------------------------------------------------------

  function showTab(wanted) {
    document.querySelectorAll('.tab-contents').forEach((panel) => {
      panel.style.display = '#' + panel.id === wanted ? '' : 'none';
    });
    document.querySelectorAll('#tab-button > li').forEach((item) => {
      item.classList.toggle('is-active', item.firstElementChild.getAttribute('href') === wanted);
    });
    byId('tab-select').value = wanted;
  }

  document.querySelectorAll('a.TabButton').forEach((link) => {
    link.addEventListener('click', (event) => {
      event.preventDefault();
      showTab(link.getAttribute('href'));
    });
  });
  byId('tab-select').addEventListener('change', (event) => showTab(event.target.value));

  // ---- the result table ----------------------------------------------------------------------------------

  function icon(id, name, colour, onClick) {
    const button = element('button', { id: id, type: 'button', class: 'btn btn-xs ' + colour }, element('i', { class: 'fa ' + name }));
    button.addEventListener('click', () => button.isConnected && onClick());
    return button;
  }

  // The ids are the wrong way round and on every row the same, as they always were.
  function resultRow(row, place) {
    return element('tr', { role: 'row', class: place % 2 ? 'even' : 'odd' },
      element('td', {}, row.COURT_NO || row.RELATED_COURT_NO),
      element('td', {}, row.STYLE_OF_CAUSE),
      element('td', {}, told(row, 'NATURE_DESC')),
      element('td', {}, icon('more', 'fa-search-plus', 'btn-success', () => openParties(row))),
      element('td', {}, icon('re', 'fa-search', 'btn-primary', () => openEntries(row))));
  }

  function emptyRow(columns) {
    return element('tr', { class: 'odd' },
      element('td', { valign: 'top', colspan: String(columns), class: 'dataTables_empty' }, TEXT.no_data));
  }

  function drawTable(rows) {
    const heads = TEXT.columns.map((name) => element('th', { class: 'sorting', tabindex: '0' }, name));
    const body = rows.length ? rows.map(resultRow) : [emptyRow(5)];
    const table = element('table', { id: 'datatable', role: 'grid',
      class: 'table wb-tables table-striped table-hover table-bordered dataTable no-footer dtr-inline' },
      element('thead', {}, element('tr', { role: 'row' }, ...heads)), element('tbody', {}, ...body));
    byId('datatable-place').replaceChildren(wrapper(table, rows.length));
  }

  function wrapper(table, count) {
    const buttons = TEXT.buttons.map((name) => element('button', { class: 'dt-button btn', type: 'button' }, name));
    const info = TEXT.info.replace('#', count ? 1 : 0).replace('#', count).replace('#', count);
    return element('div', { id: 'datatable_wrapper', class: 'dataTables_wrapper dt-bootstrap4 no-footer' },
      element('div', { class: 'dt-buttons btn-group' }, ...buttons),
      element('div', { id: 'datatable_filter', class: 'dataTables_filter' }, element('input', { type: 'search' })),
      table,
      element('div', { id: 'datatable_info', class: 'dataTables_info', role: 'status' }, info),
      element('div', { id: 'datatable_paginate', class: 'dataTables_paginate' },
        element('ul', { class: 'pagination' }, element('li', { class: 'paginate_button page-item active' },
          element('a', { class: 'page-link', href: '#', 'data-dt-idx': '1' }, '1')))));
  }

  let searches = 0;

  async function search(endpoint, parameters) {
    const mine = ++searches;
    byId('loadingscreen').classList.add('on');
    const rows = await ask(endpoint, parameters);
    if (mine !== searches) return;
    byId('loadingscreen').classList.remove('on');
    drawTable([]);  // the table is cleared and drawn before its rows are added
    later(() => mine === searches && drawTable(rows));
    if (rows.length) later(() => mine === searches && drawTable(rows), 1.5);  // and once more when columns are sized
  }

  byId('tab01Submit').addEventListener('click', () => search('ProceedingsQueriesPartyInfoDates', {
    division: byId('tab01selectCourt').value, name: byId('selectPartyName').value.replaceAll('.', 'xxyxx'),
    from: byId('selectFromDate').value, to: byId('selectToDate').value }));
  byId('tab02Submit').addEventListener('click', () => search('proceedingQueriesCourtNumberList', {
    division: byId('tab02selectCourt').value, courtnumber: byId('selectCourtNumber').value.trim() }));
  byId('tab04Submit').addEventListener('click', () => search('RelatedListInfo', {
    courtnumber: byId('selectRetcaseCourtNumber').value.trim() }));
  document.querySelectorAll('button[id$=Clear]').forEach((button) => {
    button.addEventListener('click', () => {
      button.parentElement.querySelectorAll('input').forEach((input) => { input.value = ''; });
    });
  });

  // ---- the dialogs ---------------------------------------------------------------------------------------

  function openModal(modal) {
    modal.classList.add('show');
    document.body.classList.add('modal-open');
    document.body.append(element('div', { class: 'modal-backdrop fade show' }));
  }

  // What a dialog showed stays in it: it is only hidden.
  function closeModal(modal) {
    modal.classList.remove('show');
    document.body.classList.remove('modal-open');
    document.querySelectorAll('.modal-backdrop').forEach((backdrop) => backdrop.remove());
  }

  document.addEventListener('click', (event) => {
    const button = event.target.closest('[data-dismiss=modal]');
    if (button) closeModal(button.closest('.modal'));
  });

  function pair(label, value) {
    return element('span', {}, element('strong', {}, label + ' :'), '\u00a0' + value);
  }

  const paragraph = (...spans) => element('p', { class: 'text-left' }, ...spans);

  function fields(row) {
    const left = [paragraph(pair(TEXT.type, told(row, 'PROCEEDING_TYPE'))),
      paragraph(pair(TEXT.nature, told(row, 'NATURE_DESC'))),
      paragraph(pair(TEXT.office, told(row, 'CITY_NAME')), pair(TEXT.language, told(row, 'LANGUAGE_NAME')))];
    const right = [paragraph(pair(TEXT.action, told(row, 'PROCEEDING_CLASS'))),
      paragraph(pair(TEXT.filed, day(row.FILE_DT)))];
    return element('div', { class: 'row' },
      element('div', { class: 'col-sm-6' }, ...left), element('div', { class: 'col-sm-6' }, ...right));
  }

  function heads(names) {
    return element('thead', {}, element('tr', {}, ...names.map((name, place) =>
      element('th', { class: 'addlinfo' + (place === 1 ? ' sorting_asc' : '') }, name))));
  }

  function cells(values) {
    return element('tr', {}, ...values.map((value) => element('td', { class: 'addlinfo' }, value)));
  }

  // It explains the columns, looks like the real table and comes before it.
  function legend() {
    return element('div', { class: 'alert alert-info' }, element('p', {}, TEXT.legend),
      element('table', { class: 'table table-striped table-bordered' }, heads(TEXT.entry_columns),
        element('tbody', {}, cells(['#', 'YYYY-MM-DD', TEXT.city, TEXT.document, '']))));
  }

  function download(entry) {
    if (entry.CAN_PUBLISH_DOCUMENT !== 'Y' || entry.IS_CONFIDENTIAL === 'Y') return '';
    return element('a', { class: 'btn btn-xs', target: '_blank',
      href: BACKEND + 'downloadFileFromAlfresco?foremostNum=' + entry.FOREMOST_NUMBER },
      element('i', { class: 'fa fa-download' }));
  }

  function entryRow(entry) {
    const number = entry.RE_NO === null ? '' : String(entry.RE_NO);
    return cells([number, day(entry.DOC_DT), told(entry, 'OFFICE_NAME'), entry.RECORDED_ENTRY, download(entry)]);
  }

  function entryRows(entries) {
    const written = entries.filter((entry) => entry.RECORDED_ENTRY);
    return written.length ? written.map(entryRow) : [emptyRow(5)];
  }

  function fill(title, ...body) {
    const inner = element('h5', {}, title);
    const close = element('button', { type: 'button', class: 'close', 'data-dismiss': 'modal' }, '\u00d7');
    byId('ModalPrintArea').replaceChildren(
      element('div', { class: 'modal-header' }, element('h5', { id: 'modalTitle' }, inner), close),
      element('div', { class: 'modal-body' }, ...body),
      element('div', { class: 'modal-footer' },
        element('button', { type: 'button', class: 'btn', onclick: 'window.print()' }, TEXT.print),
        element('button', { type: 'button', class: 'btn', 'data-dismiss': 'modal' }, TEXT.close)));
  }

  async function openEntries(row) {
    openModal(byId('ModalForm'));
    const asked = { division: row.DIVISION.toLowerCase(), courtnumber: row.COURT_NO };
    const [header] = await ask('proceedingQueriesAddInfo', asked);
    const rows = element('tbody', {});
    const table = element('table', { class: 'table table-striped table-bordered' },
      element('caption', {}, TEXT.caption), heads(TEXT.entry_columns), rows);
    fill(TEXT.recorded + ' :\u00a0\u00a0 ' + row.COURT_NO, fields(header), legend(),
      element('div', { class: 'table-responsive' }, table));
    rows.append(emptyRow(5));  // nothing is known yet, and that looks like knowing that there is nothing
    const entries = await ask('proceedingQueriesRE', asked);
    later(() => rows.replaceChildren(...entryRows(entries)), isSlow(row.COURT_NO) ? 6 : 1);
  }

  async function openParties(row) {
    openModal(byId('ModalForm'));
    const parties = await ask('PublicPartiesListInfo', { courtnumber: row.COURT_NO });
    const rows = parties.map((one) => cells([one.PARTY_NAME, one.SOLCTR_FIRM || '', one.SOLCTR_CONTACT || '']));
    fill(TEXT.parties + ' :\u00a0\u00a0 ' + row.COURT_NO,
      element('table', { class: 'table table-striped table-bordered' }, heads(TEXT.party_columns), element('tbody', {}, ...rows)));
  }

  // A notice of the day, for who has not closed it yet.
  if (!document.cookie.includes('notice=read')) {
    later(() => openModal(byId('EfilingModal')));
    byId('EfilingModal').addEventListener('click', (event) => {
      if (event.target.closest('[data-dismiss=modal]')) document.cookie = 'notice=read; path=/';
    });
  }
})();
