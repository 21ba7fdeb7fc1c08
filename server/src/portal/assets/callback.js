// Banks answer in the part of the address that no server sees. This hands it over and clears it from the address bar.
const form = document.querySelector('form');
const answer = location.hash.slice(1);
if (answer !== '') form.elements.fragment.value = answer;
history.replaceState(null, '', location.pathname);
if (form.elements.fragment.value === '') {
  form.hidden = true;
  document.querySelector('[data-empty]').hidden = false;
} else {
  form.submit();
}
